"""Under what conditions the verdict would change: each is checked by asking the verdict's rule again, each is said."""

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


@dataclass(frozen=True, slots=True)
class VerdictInputs:
    """What is needed to ask the verdict's rule again at one number of labels."""

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
        """The scores at this size under a metric, each test item weighed by `keep`."""
        top = [entry.at(self.labels) for entry in self.rung_results]
        return measure(top, self.task, metric(name, self.task.classes), self.doubt, keep=keep)

    def judge(self, name: str, keep: Weights | None = None) -> Verdict:
        """The verdict under a metric and weights."""
        return judge(self.scores(name, keep), self.ladder, self.labels, self.epsilon)

    def told(self, judgement: Verdict) -> str:
        """An answer with the rung that it names, if it names one: what two verdicts differ in."""
        if judgement.answer == "cannot tell yet":
            return judgement.answer
        return f"{judgement.answer} ({self.title(judgement.rung)})"

    def leads(self, judgement: Verdict, before: Verdict) -> str:
        """Who leads, where rungs without context are all there is: their verdict names no one to keep."""
        return (
            f"{inline_title(self.title(judgement.best))} {'still leads' if judgement.best == before.best else 'leads'}"
        )

    def title(self, name: str) -> str:
        """What a person calls a rung."""
        return next(entry.rung.title for entry in self.rung_results if entry.rung.name == name)


@dataclass(frozen=True, slots=True)
class Condition:
    """A question to the verdict: under which metric, on which test items, in which words.

    Attributes:
        lead: the beginning of the sentence that the answer completes; the whole sentence where there is nothing to ask.
        keep: a weight per test item; None where there is nothing to ask.
    """

    name: str
    metric: str
    lead: str
    keep: Weights | None


def conditions(case: VerdictInputs, verdict: Verdict, windowed: NDArray[np.bool_], unseen: Weights) -> list[Finding]:
    """One finding a condition.

    Args:
        case: the runs to judge.
        verdict: what was judged first.
        windowed: bool [test items], texts longer than the encoder's window.
        unseen: float64 [test items], the share of each text's words that the training part lacks.
    """
    asked = [*_metrics(case), _twins(case), _class_shares(case), _vocabulary(case, unseen)]
    if any(family in CONTEXTUAL for _, family in case.ladder):
        asked += _windows(case, windowed)
    return [_answer(case, verdict, condition) for condition in asked]


def _answer(case: VerdictInputs, verdict: Verdict, condition: Condition) -> Finding:
    name = f"condition.{condition.name}"
    if condition.keep is None:
        return Finding(name, f"{condition.lead}.", {"changes": False})
    other = case.judge(condition.metric, condition.keep)
    changes = case.told(other) != case.told(verdict)
    said = f"the verdict would be: {case.told(other)}" if changes else "the verdict stays"
    if not verdict.contextual:
        said = case.leads(other, verdict)
    numbers = {"answer": other.answer, "rung": other.rung, "changes": changes, "items": int((condition.keep > 0).sum())}
    return Finding(name, f"{condition.lead}, {said}.", numbers)


def _metrics(case: VerdictInputs) -> Iterator[Condition]:
    for name in usual(case.task.kind):
        if name != case.task.metric:
            title = metric(name, case.task.classes).title
            yield Condition(f"metric.{name}", name, f"Judged by {title}", np.ones(len(case.task.test)))


def _on(case: VerdictInputs, name: str, lead: str, kept: NDArray[np.bool_], none: str) -> Condition:
    """The verdict on some of the test items, where they are enough to judge by."""
    count = int(kept.sum())
    if not count:
        return Condition(name, case.task.metric, none, None)
    if count < LEAST_ITEMS:
        return Condition(name, case.task.metric, f"{lead}: too few to judge apart", None)
    return Condition(name, case.task.metric, lead, kept.astype(np.float64))


def _twins(case: VerdictInputs) -> Condition:
    twin = np.isin(case.task.test, overlap_rows(case.task))
    if not twin.any():
        return Condition("twins", case.task.metric, "No test text has a twin among the training texts", None)
    which = count_of(int(twin.sum()), "test text that has", "test texts that have")
    lead = f"Without the {which} a near twin among the training texts"
    return _on(case, "twins", lead, ~twin, "Every test text has a twin among the training texts: collect others")


def _windows(case: VerdictInputs, windowed: NDArray[np.bool_]) -> list[Condition]:
    """Of the frozen encoder's window; fine-tuning has a limit of its own, and what it cut is a warning."""
    none = "No test text is longer than an encoder's window"
    if not windowed.any() and _cut(case):
        if not any(family == "frozen" for _, family in case.ladder):
            return []
        none = "No test text is longer than the frozen encoder's window (a fine-tuned one read less of some)"
    lead = f"On the {int(windowed.sum())} test texts longer than the encoder's window"
    return [_on(case, "windows", lead, windowed, none)]


def _cut(case: VerdictInputs) -> bool:
    """Whether a rung read only the beginning and the end of any test text."""
    learners: list[object] = [entry.learner for entry in case.rung_results]
    return any(isinstance(learner, Cutting) and learner.cut(case.task.test) for learner in learners)


def _vocabulary(case: VerdictInputs, unseen: Weights) -> Condition:
    """The half of the test part whose words the training part knows least."""
    known = np.nan_to_num(unseen)
    share = 100 * float(known.mean())
    lead = f"{share:.0f} % of the words of a test text are new; on the texts with more new words than the median"
    return _on(case, "vocabulary", lead, known > np.median(known), "The test texts do not differ in their new words")


def _class_shares(case: VerdictInputs) -> Condition:
    """Each test item weighed so that its class has its share of the training part."""
    task = case.task
    if task.kind not in {"single", "pair"}:
        return Condition("class_shares", task.metric, "Class shares do not apply to this kind of task", None)
    count = len(task.classes)
    gold = np.asarray(task.gold(task.test))
    train, test = (np.bincount(np.asarray(task.gold(rows)), minlength=count) for rows in (task.train, task.test))
    wanted, found = train / train.sum(), test / test.sum()
    ratio = np.divide(wanted, found, out=np.zeros(count), where=found > 0)
    far = 100 * float(np.abs(wanted - found).max())
    lead = f"Class shares of the two parts differ by at most {far:.1f} points; weighed to the training part's"
    return Condition("class_shares", task.metric, lead, ratio[gold])
