"""The result of a study: what its runs scored and cost, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import metric
from wordworth.records import Table
from wordworth.representations.vector_file import VectorFileRung
from wordworth.studies.worth.costs import COSTS
from wordworth.studies.worth.coverage_warnings import unreadable, vocabulary_coverages
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.difficulty_units import Units, measures
from wordworth.studies.worth.learning_curves import best_multiple, extend_curve, multiples_table
from wordworth.studies.worth.scores import Scores, measure
from wordworth.studies.worth.static_share import static_share_table

if TYPE_CHECKING:
    from wordworth.measures.learning_curves import Extension
    from wordworth.representations.rung import Rung, VocabularyCoverage
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Task

NO_COSTS = Table.of([], COSTS)


@dataclass(frozen=True)
class StudyResult:
    """What was measured, as fields; what follows from it, as properties that are computed once, when first needed.

    Attributes:
        task: the task, with its split.
        grid: the numbers of labels, and the subsets that were learned from.
        rung_results: what each rung of the ladder left, cheapest first.
        scores: the scores of all runs by the task's metric.
        margin: points by which a rung may be worse and still be good enough, on the metric's scale.
        costs: the table of `costs_table`.
        seconds: the time that each stage took.
    """

    task: Task
    grid: LabelGrid
    rung_results: Sequence[RungResult]
    scores: Scores
    margin: float
    costs: Table = NO_COSTS
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def labels(self) -> int:
        """The number of labels that the verdict is about: all of them."""
        return self.grid.top

    @cached_property
    def ladder(self) -> list[Rung]:
        """The rungs that were run, cheapest first."""
        return [result.rung for result in self.rung_results if self.scores.sizes(result.rung.name)]

    def title(self, name: str) -> str:
        """The title of a rung."""
        return next(result.rung.title for result in self.rung_results if result.rung.name == name)

    @cached_property
    def verdict(self) -> Verdict:
        """The answer of the decision rule on all labels."""
        return judge(self.scores, self.ladder, self.labels, self.margin)

    def rescored(self, metric_name: str, keep: NDArray[np.float64] | None = None) -> Scores:
        """The scores on all labels by another metric, each test item weighted by `keep`."""
        on_all_labels = [result.at(self.labels) for result in self.rung_results]
        by = metric(metric_name, self.task.classes)
        return measure(on_all_labels, self.task, by, self.scores.bootstrap, keep=keep)

    def rejudged(self, metric_name: str, keep: NDArray[np.float64] | None = None) -> Verdict:
        """The answer of the decision rule by another metric and other weights of the test items."""
        return judge(self.rescored(metric_name, keep), self.ladder, self.labels, self.margin)

    @cached_property
    def measured(self) -> list[RungResult]:
        """The rungs that have a score on all labels, cheapest first."""
        return [result for result in self.rung_results if self.scores.has(result.rung.name, self.labels)]

    def measured_names(self, *, contextual: bool) -> list[str]:
        """Names of the measured rungs with or without context; the constant rung is neither."""
        rungs = [result.rung for result in self.measured if not result.rung.is_baseline]
        return [rung.name for rung in rungs if rung.contextual == contextual]

    def best_of(self, names: Sequence[str]) -> RungResult | None:
        """The rung among these with the highest mean score on all labels; None of no rungs."""
        results = [result for result in self.measured if result.rung.name in names]
        return max(results, key=lambda result: self.scores.mean(result.rung.name, self.labels), default=None)

    @cached_property
    def reference(self) -> RungResult | None:
        """The contextual rung that others are compared with: the first frozen one, which has a whole curve.

        An encoder goes before the user's own vectors: only an encoder can read new texts here, and has a window.
        """
        frozen = [result for result in self.measured if result.rung.family == "frozen"]
        frozen.sort(key=lambda result: isinstance(result.rung, VectorFileRung))
        return frozen[0] if frozen else self.best_of(self.measured_names(contextual=True))

    @cached_property
    def compared_with(self) -> str:
        """The contextual rung that label multiples refer to; "" where there is none.

        It is the one that the verdict names or compares a cheap rung with, else the reference.
        """
        verdict, contextual = self.verdict, self.measured_names(contextual=True)
        contender = verdict.cheap_contender.rival if verdict.cheap_contender else verdict.rung
        named = (verdict.rung, contender, verdict.of(verdict.rung).rival)
        default = self.reference.rung.name if self.reference else ""
        return next((name for name in named if name in contextual), default)

    @cached_property
    def extensions(self) -> dict[str, Extension | None]:
        """Each measured rung's curve beyond the labels there are; None where it has too few sizes.

        A constant rung does not learn, but for that of tagging, which knows words.
        """
        least, tagging = metric(self.task.metric, self.task.classes).least, self.task.type.labels_words
        rungs = [result.rung for result in self.measured]
        return {
            rung.name: extend_curve(self.scores, rung.name, least=least, learns=tagging or not rung.is_baseline)
            for rung in rungs
        }

    @cached_property
    def multiples(self) -> Table:
        """The label multiples of every cheap rung against every contextual one."""
        cheap, contextual = self.measured_names(contextual=False), self.measured_names(contextual=True)
        return multiples_table(self.scores, cheap, contextual, self.extensions)

    def multiple(self, cheap: str) -> dict[str, Any]:
        """The most informative label multiple of a cheap rung against the one in `compared_with`."""
        return best_multiple(self.multiples, cheap, self.compared_with)

    @cached_property
    def units(self) -> dict[str, Units]:
        """The measures of difficulty on the test part."""
        return measures(self.task)

    @cached_property
    def windowed(self) -> NDArray[np.bool_]:
        """Bool [rows]: the texts longer than the reference encoder's window."""
        examples = self.task.examples
        learner = self.reference.learner if self.reference else None
        return learner.exceeds_window(examples) if learner else np.zeros(len(examples), np.bool_)

    @cached_property
    def coverage(self) -> dict[str, VocabularyCoverage]:
        """How much of the texts each rung's vocabulary covers, by rung."""
        return vocabulary_coverages(self.rung_results, self.task.examples)

    @property
    def unreadable(self) -> dict[str, float]:
        """The contextual rungs that cannot read these texts, by title, with the share of unknown pieces."""
        return unreadable(self.rung_results, self.coverage)

    @cached_property
    def static_share(self) -> Table:
        """The share of their encoder's gain that distilled tables keep."""
        return static_share_table(self.rung_results, self.scores, self.labels)
