"""Sensitivity analysis: apply the verdict's rule again under other conditions, such as another metric.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

On half of the test part, say, the rule may give another answer by chance alone. A condition is therefore said to change
the verdict only if the answer differs and the difference of the two rungs that the verdict compares changes
significantly: the interval of the change excludes 0. Over all conditions together, the probability of a false change is
at most 5 % (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.learning_curves import CONTROL
from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, points
from wordworth.studies.worth.decision_rule import ERROR, Verdict, judge
from wordworth.studies.worth.difficulty_units import unseen_share
from wordworth.studies.worth.learning_curves import predicted_gain, scores_at_double
from wordworth.studies.worth.scores import gap_change
from wordworth.tasks.checks import overlap_rows

if TYPE_CHECKING:
    from wordworth.measures.learning_curves import Extension
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult

Weights = NDArray[np.float64]
LEAST_ITEMS = 30
"""Fewest test items that a condition is judged on."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A variation under which the verdict is drawn again: another metric, or other weights of the test items.

    Attributes:
        name: the name of the condition.
        metric: the metric to judge by.
        beginning: the first half of the sentence that reports the answer under this condition. If the condition does
            not apply, the whole sentence, which says why.
        keep: float64 [test items], the weight of each item; None if the condition does not apply.
    """

    name: str
    metric: str
    beginning: str
    keep: Weights | None


def describe(study: StudyResult, verdict: Verdict) -> str:
    """Return the answer of a verdict as text, with the title of the rung that the verdict names, if any.

    Verdicts count as the same if these texts are equal.
    """
    if verdict.context_leads or verdict.settled:
        return f"{verdict.answer} ({study.title(verdict.rung)})"
    return verdict.answer


def describe_leader(study: StudyResult, verdict: Verdict) -> str:
    """Return in words which rung has the best score, for a study that compares no contextual rung."""
    verb = "still leads" if verdict.best == study.verdict.best else "leads"
    return f"{study.title(verdict.best)} {verb}"


def conditions(study: StudyResult) -> list[Finding]:
    """Return a finding for each other condition, such as another metric: whether it would change the verdict.

    If a condition does not apply, the finding says why.
    """
    applied = [*_metrics(study), _without_duplicates(study), _class_shares(study), _vocabulary(study)]
    if any(rung.contextual for rung in study.ladder):
        applied += _windows(study)
    level = 1 - ERROR / max(1, sum(condition.keep is not None for condition in applied))
    return [_finding(study, condition, level) for condition in applied]


def _finding(study: StudyResult, condition: Condition, level: float) -> Finding:
    name = f"condition.{condition.name}"
    if condition.keep is None:
        return Finding(name, f"{condition.beginning}.", {"changes": False})
    scores = study.rescored(condition.metric, condition.keep)
    then = study.judged(scores)
    differs = describe(study, then) != describe(study, study.verdict)
    change = gap_change(scores, study.scores, study.verdict.compared_pair, (study.labels, study.labels), level)
    changes = differs and 0 not in change
    outcome = f"the verdict would be: {describe(study, then)}" if changes else "the verdict stays"
    if differs and not changes:
        outcome = f"the verdict would be: {describe(study, then)}, but chance alone may explain the change"
    if not study.verdict.contextual:
        outcome = describe_leader(study, then)
    numbers = {"answer": then.answer, "rung": then.rung, "changes": changes, "items": int((condition.keep > 0).sum())}
    return Finding(name, f"{condition.beginning}, {outcome}.", numbers | change.columns("change_"))


def _metrics(study: StudyResult) -> Iterator[Condition]:
    for name in study.task.type.metrics:
        if name != study.task.metric:
            title = metric(name, study.task.classes).title
            yield Condition(f"metric.{name}", name, f"Judged by {title}", np.ones(len(study.task.test)))


def _on_subset(study: StudyResult, name: str, lead_text: str, subset: NDArray[np.bool_], none_text: str) -> Condition:
    """Return the condition that keeps a subset of the test items.

    The condition does not apply if the subset has fewer than `LEAST_ITEMS` items.

    Args:
        study: the study.
        name: name of the condition.
        lead_text: the first half of the sentence that reports the answer.
        subset: bool [test items], the items to keep.
        none_text: the sentence for an empty subset.
    """
    count = int(subset.sum())
    if not count:
        return Condition(name, study.task.metric, none_text, None)
    if count < LEAST_ITEMS:
        return Condition(name, study.task.metric, f"{lead_text}: too few to judge separately", None)
    return Condition(name, study.task.metric, lead_text, subset.astype(np.float64))


def _without_duplicates(study: StudyResult) -> Condition:
    duplicated = np.isin(study.task.test, overlap_rows(study.task))
    if not duplicated.any():
        share = " (equal texts are in the same fold)" if study.task.folds else ""
        none_text = f"No test text has a near-duplicate among the training texts{share}"
        return Condition("twins", study.task.metric, none_text, None)
    which = count_of(int(duplicated.sum()), "test text that has", "test texts that have")
    lead_text = f"Without the {which} a near-duplicate among the training texts"
    return _on_subset(
        study,
        "twins",
        lead_text,
        ~duplicated,
        "Every test text has a near-duplicate among the training texts: collect others",
    )


def _windows(study: StudyResult) -> list[Condition]:
    """Return the condition on test texts longer than the encoder's window, in a list.

    The list is empty if no test text is longer, but a rung truncated some in training and there is no frozen encoder;
    truncated texts have a warning of their own.
    """
    windowed = study.windowed[study.task.test]
    none_text = "No test text is longer than an encoder's window"
    if not windowed.any() and _cut(study):
        if not any(rung.family == "frozen" for rung in study.ladder):
            return []
        none_text = "No test text is longer than the frozen encoder's window (a trained one read less of some)"
    which = count_of(int(windowed.sum()), "test text")
    lead_text = f"On the {which} longer than the encoder's window"
    return [_on_subset(study, "windows", lead_text, windowed, none_text)]


def _cut(study: StudyResult) -> bool:
    """Return True if a rung truncated any test text."""
    return any(result.learner and result.learner.num_truncated(study.task.test) for result in study.rung_results)


def _vocabulary(study: StudyResult) -> Condition:
    """Return the condition on test texts with a larger share of words unseen in training than the median."""
    new_words = np.nan_to_num(unseen_share(study.task, study.units))
    share = 100 * float(new_words.mean())
    lead_text = f"{share:.0f} % of the words of a test text are new; on the texts with more new words than the median"
    return _on_subset(
        study,
        "vocabulary",
        lead_text,
        new_words > np.median(new_words),
        "The test texts do not differ in their new words",
    )


def _class_shares(study: StudyResult) -> Condition:
    """Return the condition that weights test items so that each class has its share of the training part."""
    task = study.task
    if not task.type.multiclass:
        return Condition("class_shares", task.metric, "Class shares do not apply to this kind of task", None)
    if task.folds:
        same = "Training and test rows are the same rows, so that their class shares do not differ"
        return Condition("class_shares", task.metric, same, None)
    count = len(task.classes)
    gold = np.asarray(task.gold(task.test))
    train = np.bincount(np.asarray(task.gold(task.train)), minlength=count)
    test = np.bincount(gold, task.sampling_weights, minlength=count)
    train_shares, test_shares = train / train.sum(), test / test.sum()
    ratio = np.divide(train_shares, test_shares, out=np.zeros(count), where=test_shares > 0)
    largest = 100 * float(np.abs(train_shares - test_shares).max())
    lead_text = (
        f"Class shares of the two parts differ by at most {largest:.1f} points; reweighted to the training part's"
    )
    return Condition("class_shares", task.metric, lead_text, ratio[gold])


def more_labels(study: StudyResult) -> Finding:
    """Return the finding on what twice the labels would bring: the gain of the verdict's rung, and the verdict.

    Gain and verdict are predicted from fitted curves, not measured. Rungs without a curve are left out of the predicted
    verdict, which is then compared with the rule's answer for the same rungs on the labels at hand.

    Among the numbers of the finding, `rung` is the rung that gains, and `named` the rung that the predicted verdict
    names. In records of earlier versions, `rung` is the rung that the predicted verdict names.
    """
    verdict, name = study.verdict, "condition.more_labels"
    title, extension = study.title(verdict.rung), study.extensions.get(verdict.rung)
    if extension is None:
        text = f"{title} was measured at too few numbers of labels to say what more of them would bring."
        return Finding(name, text, {"changes": False})
    predicted, doubled = scores_at_double(study.scores, study.extensions), int(extension.labels[0])
    ladder = [rung for rung in study.ladder if predicted.has(rung.name, doubled)]
    without_curve = [rung.title for rung in study.ladder if rung not in ladder]
    then = judge(predicted, ladder, doubled, study.margin, look=study.looks.number)
    now = judge(study.scores, ladder, study.labels, study.margin, look=study.looks.number) if without_curve else verdict
    answers = describe(study, then), describe(study, now)
    changes = answers[0] != answers[1] and _is_shown(predicted, study, doubled)
    outcome = _outcome(*answers, without_curve, is_significant=changes)
    if not verdict.contextual:
        outcome = f"By all such curves, {describe_leader(study, then)} then."
    numbers = predicted_gain(study.scores, verdict.rung, extension)
    text = (
        f"With twice the labels ({doubled:,}), {title} would score about {_predicted(numbers)}; {_basis(extension)}. "
        f"{outcome}"
    )
    numbers |= {"rung": verdict.rung, "answer": then.answer, "named": then.rung, "changes": changes}
    numbers["without"] = without_curve
    return Finding(name, text, numbers)


def _predicted(numbers: Mapping[str, Any]) -> str:
    """Return the predicted score in words, with its interval and the present score, from `predicted_gain`."""
    now = numbers["score"] - numbers["gain"]
    low, high = points(now + numbers["low"]), points(now + numbers["high"])
    return f"{points(numbers['score'])} (95 %: {low} to {high}), against {points(now)} now"


def _is_shown(predicted: Scores, study: StudyResult, doubled: int) -> bool:
    """Return True if the difference of the verdict's two rungs changes significantly with twice the labels."""
    pair = study.verdict.compared_pair
    if not all(predicted.has(name, doubled) for name in pair):
        return False
    return 0 not in gap_change(predicted, study.scores, pair, (doubled, study.labels), 1 - ERROR)


def _basis(extension: Extension) -> str:
    """Return in words how a score at twice the labels was predicted."""
    if extension.selection.family.name != CONTROL:
        return "this is predicted by a curve fitted to its four largest sizes, not measured"
    return "this is its last score carried on, not a measurement: a constant does not learn from more labels"


def _outcome(then: str, now: str, without_curve: list[str], *, is_significant: bool) -> str:
    """Return the sentence on the verdict at twice the labels.

    Args:
        then: the predicted answer, as `describe` returns it.
        now: the answer for the same rungs on the labels at hand.
        without_curve: titles of the rungs without a fitted curve.
        is_significant: whether the difference of the two rungs that the verdict compares changes significantly.

    >>> _outcome("cannot tell yet", "cannot tell yet", [], is_significant=False)
    "By the verdict's rule on all such curves, the verdict stays."
    """
    if then != now and not is_significant:
        return (
            f"By the verdict's rule on all such curves, the verdict would be: {then}, but chance alone may explain the "
            "change."
        )
    if without_curve:
        gives = f"gives the same then as now: {now}" if then == now else f"gives now: {now}; and then: {then}"
        return (
            f"Without {' and '.join(without_curve)}, measured at too few numbers of labels, the verdict's rule {gives}."
        )
    stays = "the verdict stays" if then == now else f"the verdict would be: {then}"
    return f"By the verdict's rule on all such curves, {stays}."
