"""The result of a `worth` study: the scores and costs of its runs, and everything that follows from them.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first. A run is one rung fitted on one subset of the labelled examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import metric
from wordworth.progress import SILENT, Progress
from wordworth.records import Table
from wordworth.representations.precomputed_vectors import VectorFileRung
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.difficulty_units import Units, measures
from wordworth.studies.worth.learning_curves import best_multiple, extend_curve, multiples_table, without_overtakings
from wordworth.studies.worth.running_costs import COSTS
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Scores
from wordworth.studies.worth.sequential_looks import NO_LOOKS, Looks
from wordworth.studies.worth.static_share_of_gain import static_share_table
from wordworth.studies.worth.vocabulary_coverage_warnings import spelled, unreadable, vocabulary_coverages

if TYPE_CHECKING:
    from wordworth.measures.learning_curves import Extension
    from wordworth.representations.rung import Rung, VocabularyCoverage
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.preregistration.adherence import Adherence
    from wordworth.studies.worth.random_split_score import RandomSplit
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Task

NO_COSTS = Table.of([], COSTS)


@dataclass(frozen=True)
class StudyResult:
    """The result of a `worth` study: measurements as fields, and conclusions as properties.

    A property is computed once, when it is first needed.

    Attributes:
        task: the task, with its split.
        grid: the numbers of labelled examples, and the subsets that were learned from.
        rung_results: the runs and the state of each rung of the ladder, cheapest first.
        scores: the scores of all runs by the task's metric.
        margin: how far a rung may score below another and still be good enough, on the metric's scale (0.01: a point).
        costs: the table of `costs_table`, a row for each rung.
        seconds: name of each stage of the study -> the seconds that it took.
        looks: the looks at these labels, this verdict included (a user may draw several while adding labels).
        adherence: how the study compares with its preregistration; None if it was not preregistered.
        confusion_costs: float64 [classes, classes], what a text of each true class (row) costs if it is answered as
            each class (column); None if the user gives no costs.
        unused_encoders: the encoders whose rungs the user's choice of rungs leaves out.
        random_split: a rung's score by a random split; None unless the study's split is by groups or by time.
        forecast: name of each part of the work, and `in all` -> the seconds that it was expected to take.
        progress: receives the progress of what is computed for the record when it is first needed.
    """

    task: Task
    grid: LabelGrid
    rung_results: Sequence[RungResult]
    scores: Scores
    margin: float
    costs: Table = NO_COSTS
    seconds: dict[str, float] = field(default_factory=dict)
    looks: Looks = NO_LOOKS
    adherence: Adherence | None = None
    confusion_costs: NDArray[np.float64] | None = None
    unused_encoders: Sequence[str] = ()
    random_split: RandomSplit | None = None
    forecast: Mapping[str, float] = field(default_factory=dict)
    progress: Progress = SILENT

    @property
    def labels(self) -> int:
        """The number of labelled examples on which the verdict is drawn: all that a run can learn from."""
        return self.grid.top

    @cached_property
    def ladder(self) -> list[Rung]:
        """The rungs that have a score at some number of labelled examples, the cheapest first."""
        return [result.rung for result in self.rung_results if self.scores.sizes(result.rung.name)]

    def title(self, name: str) -> str:
        """Return the title by which reports refer to a rung.

        Args:
            name: name of the rung, as in `rung_results`.
        """
        return next(result.rung.title for result in self.rung_results if result.rung.name == name)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict of the decision rule on the scores of runs that learned from all labelled examples."""
        return self.judged(self.scores)

    def judged(self, scores: Scores, labels: int | None = None) -> Verdict:
        """Return the verdict of the decision rule on the given scores.

        With fewer labelled examples than all, the rule's intervals have a higher confidence level, since the answers at
        all smaller numbers of labelled examples share one probability of a false answer.

        Args:
            scores: the scores to judge by.
            labels: the number of labelled examples that the judged runs learned from; None means all.
        """
        size = labels or self.labels
        sizes = 1 if size == self.labels else max(1, len(self.grid.sizes) - 1)
        return judge(scores, self.ladder, size, self.margin, look=self.looks.number, sizes=sizes)

    def rescored(self, metric_name: str, keep: NDArray[np.float64] | None = None) -> Scores:
        """Return the scores of runs on all labelled examples, by another metric or with other weights of test items.

        Args:
            metric_name: name of the metric.
            keep: float64 [test items], a factor on the weight of each item; None means 1 for all items.
        """
        on_all_labels = [result.at(self.labels) for result in self.rung_results]
        by = metric(metric_name, self.task.classes)
        scores = measure(on_all_labels, self.task, by, self.scores.bootstrap, keep=keep)
        return replace(scores, runs_from=self.scores)

    @cached_property
    def measured(self) -> list[RungResult]:
        """The rungs that were fitted on all labelled examples and have a score, the cheapest first."""
        return [result for result in self.rung_results if self.scores.has(result.rung.name, self.labels)]

    def measured_names(self, *, contextual: bool) -> list[str]:
        """Return the names of the measured rungs of one kind, contextual or not, without the constant rung.

        Args:
            contextual: True for rungs that read words in context, False for the others.
        """
        rungs = [result.rung for result in self.measured if not result.rung.is_baseline]
        return [rung.name for rung in rungs if rung.contextual == contextual]

    def best_of(self, names: Sequence[str]) -> RungResult | None:
        """Return the rung among `names` with the highest mean score over its runs on all labelled examples.

        The result is None if none of these rungs was measured.

        Args:
            names: names of rungs.
        """
        results = [result for result in self.measured if result.rung.name in names]
        return max(results, key=lambda result: self.scores.mean(result.rung.name, self.labels), default=None)

    @cached_property
    def reference(self) -> RungResult | None:
        """The contextual rung that cheap rungs are compared with by default; None if no contextual rung was measured.

        The first rung with a frozen encoder is taken, since it has a whole learning curve; without a frozen encoder,
        the best contextual rung is taken. A frozen encoder comes before the same encoder in int8, and both before
        vectors that the user supplies, since only an encoder can read new texts and has a window.
        """
        frozen = [result for result in self.measured if result.rung.family == "frozen"]
        frozen.sort(key=lambda result: (isinstance(result.rung, VectorFileRung), result.rung.by_name))
        return frozen[0] if frozen else self.best_of(self.measured_names(contextual=True))

    @cached_property
    def compared_with(self) -> str:
        """The name of the contextual rung that label multiples refer to; "" if no contextual rung was measured.

        Of the two rungs whose difference the verdict states, the contextual rung is taken. If both are cheap, the
        contextual rung that the first of them may be furthest behind is taken. Without such a rung, `reference` is
        taken.
        """
        verdict, contextual = self.verdict, self.measured_names(contextual=True)
        named = (*verdict.compared_pair, verdict.of(verdict.compared_pair[0]).contextual_rival)
        default = self.reference.rung.name if self.reference else ""
        return next((name for name in named if name in contextual), default)

    @cached_property
    def cheap_compared_name(self) -> str:
        """The name of the cheap rung that the verdict compares, or else of the best one; "" without a cheap rung."""
        cheap = self.measured_names(contextual=False)
        best = self.best_of(cheap)
        default = best.rung.name if best else ""
        return next((name for name in self.verdict.compared_pair if name in cheap), default)

    @cached_property
    def extensions(self) -> dict[str, Extension | None]:
        """Name of each rung -> its learning curve extrapolated to twice the labels.

        The value is None if too few numbers of labelled examples were measured. The curve of the constant rung is its
        last score, except in tagging, where the constant rung learns each word's most frequent tag.
        """
        least, tagging = metric(self.task.metric, self.task.classes).least, self.task.type.labels_words
        rungs = [result.rung for result in self.measured]
        curves = {
            rung.name: extend_curve(self.scores, rung.name, worst_score=least, learns=tagging or not rung.is_baseline)
            for rung in rungs
        }
        return without_overtakings(self.scores, curves, self.margin)

    @cached_property
    def multiples(self) -> Table:
        """The table of label multiples: how many times as many labels a cheap rung needs to equal a contextual rung."""
        cheap, contextual = self.measured_names(contextual=False), self.measured_names(contextual=True)
        return multiples_table(self.scores, cheap, contextual, self.extensions)

    def multiple(self, cheap: str) -> dict[str, Any]:
        """Return the most informative label multiple of a cheap rung, as a row of `multiples`; {} if it has no row.

        A label multiple is how many times as many labels the rung needs to equal the contextual rung `compared_with`.

        Args:
            cheap: name of the cheap rung.
        """
        return best_multiple(self.multiples, cheap, self.compared_with)

    @cached_property
    def units(self) -> dict[str, Units]:
        """Name of each measure of difficulty -> its values on test items (texts, entities or words)."""
        return measures(self.task, parse=self.reference is not None, progress=self.progress)

    @cached_property
    def windowed(self) -> NDArray[np.bool_]:
        """Whether each row of the task has a text longer than the window of the encoder of `reference`, bool [rows]."""
        examples = self.task.examples
        learner = self.reference.learner if self.reference else None
        return learner.exceeds_window(examples) if learner else np.zeros(len(examples), np.bool_)

    @cached_property
    def coverage(self) -> dict[str, VocabularyCoverage]:
        """Name of each rung with a vocabulary of its own -> how much of the texts that vocabulary covers."""
        return vocabulary_coverages(self.rung_results, self.task.examples)

    @property
    def unreadable(self) -> dict[str, float]:
        """Title of each contextual rung that cannot read the texts -> the share of unknown subwords in the texts."""
        return unreadable(self.rung_results, self.coverage)

    @property
    def spelled(self) -> dict[str, float]:
        """Title of each contextual rung that spells words letter by letter -> its mean number of subwords per word."""
        return spelled(self.rung_results, self.coverage)

    @cached_property
    def static_share(self) -> Table:
        """The table of static tables distilled from encoders: the share of the encoder's gain that each table keeps."""
        return static_share_table(self.rung_results, self.scores, self.labels)
