"""Conditions under which the verdict might change: each one applies the verdict's rule again and is reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import metric, usual
from wordworth.records import Finding
from wordworth.representations.rung import CONTEXTUAL, Cutting
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.scores import Scores, measure
from wordworth.tasks.checks import overlap_rows
from wordworth.text_format import count_of, inline_title

if TYPE_CHECKING:
    from wordworth.representations.rung import Family
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.tasks.task import Task

Weights = NDArray[np.float64]
LEAST_ITEMS = 30
"""Fewest test items that a condition is judged on."""


@dataclass(frozen=True, slots=True)
class VerdictInputs:
    """What is needed to apply the verdict's rule again at one number of labels."""

    rung_results: Sequence[RungResult]
    task: Task
    labels: int
    epsilon: float
    doubt: tuple[int, int]

    @property
    def ladder(self) -> list[tuple[str, Family]]:
        """Names and families, cheapest first."""
        return [(entry.rung.name, entry.rung.family) for entry in self.rung_results if entry.runs]

    def scores(self, name: str, keep: Weights | None = None) -> Scores:
        """The scores at this size under a metric, each test item weighted by `keep`."""
        top = [entry.at(self.labels) for entry in self.rung_results]
        return measure(top, self.task, metric(name, self.task.classes), self.doubt, keep=keep)

    def judge(self, name: str, keep: Weights | None = None) -> Verdict:
        """The verdict under a metric and weights."""
        return judge(self.scores(name, keep), self.ladder, self.labels, self.epsilon)

    def told(self, judgement: Verdict) -> str:
        """An answer with the rung that it names, if any, in words; two verdicts differ where this differs."""
        if judgement.answer == "cannot tell yet":
            return judgement.answer
        return f"{judgement.answer} ({self.title(judgement.rung)})"

    def leads(self, judgement: Verdict, before: Verdict) -> str:
        """Which rung leads, in words, where all rungs are without context and the verdict names none."""
        return (
            f"{inline_title(self.title(judgement.best))} {'still leads' if judgement.best == before.best else 'leads'}"
        )

    def title(self, name: str) -> str:
        """The title of a rung."""
        return next(entry.rung.title for entry in self.rung_results if entry.rung.name == name)


@dataclass(frozen=True, slots=True)
class Condition:
    """A variation of the verdict: under which metric, on which test items.

    Attributes:
        lead: the beginning of the sentence that the answer completes; the whole sentence where the condition does not
            apply.
        keep: a weight per test item; None where the condition does not apply.
    """

    name: str
    metric: str
    lead: str
    keep: Weights | None


def conditions(case: VerdictInputs, verdict: Verdict, windowed: NDArray[np.bool_], unseen: Weights) -> list[Finding]:
    """One finding per condition.

    Args:
        case: the runs to judge.
        verdict: the verdict to compare with.
        windowed: bool [test items], texts longer than the encoder's window.
        unseen: float64 [test items], the share of each text's words that do not occur in the training part.
    """
    applied = [*_metrics(case), _without_duplicates(case), _class_shares(case), _vocabulary(case, unseen)]
    if any(family in CONTEXTUAL for _, family in case.ladder):
        applied += _windows(case, windowed)
    return [_answer(case, verdict, condition) for condition in applied]


def _answer(case: VerdictInputs, verdict: Verdict, condition: Condition) -> Finding:
    name = f"condition.{condition.name}"
    if condition.keep is None:
        return Finding(name, f"{condition.lead}.", {"changes": False})
    verdict_then = case.judge(condition.metric, condition.keep)
    changes = case.told(verdict_then) != case.told(verdict)
    outcome = f"the verdict would be: {case.told(verdict_then)}" if changes else "the verdict stays"
    if not verdict.contextual:
        outcome = case.leads(verdict_then, verdict)
    numbers = {
        "answer": verdict_then.answer,
        "rung": verdict_then.rung,
        "changes": changes,
        "items": int((condition.keep > 0).sum()),
    }
    return Finding(name, f"{condition.lead}, {outcome}.", numbers)


def _metrics(case: VerdictInputs) -> Iterator[Condition]:
    for name in usual(case.task.kind):
        if name != case.task.metric:
            title = metric(name, case.task.classes).title
            yield Condition(f"metric.{name}", name, f"Judged by {title}", np.ones(len(case.task.test)))


def _on_subset(case: VerdictInputs, name: str, lead_text: str, subset: NDArray[np.bool_], none_text: str) -> Condition:
    """The condition on a subset of the test items, if there are enough to judge by."""
    count = int(subset.sum())
    if not count:
        return Condition(name, case.task.metric, none_text, None)
    if count < LEAST_ITEMS:
        return Condition(name, case.task.metric, f"{lead_text}: too few to judge separately", None)
    return Condition(name, case.task.metric, lead_text, subset.astype(np.float64))


def _without_duplicates(case: VerdictInputs) -> Condition:
    duplicated = np.isin(case.task.test, overlap_rows(case.task))
    if not duplicated.any():
        return Condition("twins", case.task.metric, "No test text has a near-duplicate among the training texts", None)
    which = count_of(int(duplicated.sum()), "test text that has", "test texts that have")
    lead_text = f"Without the {which} a near-duplicate among the training texts"
    return _on_subset(
        case,
        "twins",
        lead_text,
        ~duplicated,
        "Every test text has a near-duplicate among the training texts: collect others",
    )


def _windows(case: VerdictInputs, windowed: NDArray[np.bool_]) -> list[Condition]:
    """The condition on texts longer than the frozen encoder's window; fine-tuning's own limit is a separate warning."""
    none_text = "No test text is longer than an encoder's window"
    if not windowed.any() and _cut(case):
        if not any(family == "frozen" for _, family in case.ladder):
            return []
        none_text = "No test text is longer than the frozen encoder's window (a fine-tuned one read less of some)"
    lead_text = f"On the {int(windowed.sum())} test texts longer than the encoder's window"
    return [_on_subset(case, "windows", lead_text, windowed, none_text)]


def _cut(case: VerdictInputs) -> bool:
    """True where a rung truncated any test text."""
    learners: list[object] = [entry.learner for entry in case.rung_results]
    return any(isinstance(learner, Cutting) and learner.cut(case.task.test) for learner in learners)


def _vocabulary(case: VerdictInputs, unseen: Weights) -> Condition:
    """The condition on the half of the test part with the most words that do not occur in training."""
    new_words = np.nan_to_num(unseen)
    share = 100 * float(new_words.mean())
    lead_text = f"{share:.0f} % of the words of a test text are new; on the texts with more new words than the median"
    return _on_subset(
        case,
        "vocabulary",
        lead_text,
        new_words > np.median(new_words),
        "The test texts do not differ in their new words",
    )


def _class_shares(case: VerdictInputs) -> Condition:
    """The condition that each class has its share of the training part, by weighting the test items."""
    task = case.task
    if task.kind not in {"single", "pair"}:
        return Condition("class_shares", task.metric, "Class shares do not apply to this kind of task", None)
    count = len(task.classes)
    gold = np.asarray(task.gold(task.test))
    train, test = (np.bincount(np.asarray(task.gold(rows)), minlength=count) for rows in (task.train, task.test))
    train_shares, test_shares = train / train.sum(), test / test.sum()
    ratio = np.divide(train_shares, test_shares, out=np.zeros(count), where=test_shares > 0)
    largest = 100 * float(np.abs(train_shares - test_shares).max())
    lead_text = (
        f"Class shares of the two parts differ by at most {largest:.1f} points; reweighted to the training part's"
    )
    return Condition("class_shares", task.metric, lead_text, ratio[gold])
