"""The record's table of expected costs: what a thousand texts cost by the costs of confusions that the user gives.

Each rung is taken in two ways: as it predicts, and deciding for the class of the least expected cost by its
probabilities, whose calibration the training labels gave. Both are scored as the task's metric is, run by run on the
resamples of the study's one bootstrap, to which `measures.added_items` adds the costliest error of each class: of an
error that is rare and costs twenty times the others, a test part may hold none, and its intervals would then be far too
narrow (`tests/studies/worth/test_expected_costs.py` simulates it).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.bootstrap import Interval
from wordworth.measures.expected_cost import cost_metric, least_cost_classes, probability_threshold
from wordworth.measures.weighted_sums import Floats
from wordworth.records import Table
from wordworth.studies.worth.confusion_costs import confusion_costs_table
from wordworth.studies.worth.decision_rule import ERROR
from wordworth.studies.worth.probabilities import positive_class, with_probabilities
from wordworth.studies.worth.scores import SIZES_LIKE
from wordworth.studies.worth.scoring import measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult

TEXTS = 1_000
"""The number of texts that costs are of."""
_SPAN = {"low": "lower end of its 95 % interval", "high": "upper end of its 95 % interval"}
EXPECTED_COSTS = {
    "rung": "short name",
    "predicted_cost": "cost of a thousand texts where each is given the class that the rung predicts, mean over runs",
    **{f"predicted_cost_{end}": text for end, text in _SPAN.items()},
    "decision_cost": "the same where each is given the class of the least expected cost by the rung's probabilities "
    "(Elkan 2001); of the constant rung, where all are given the class that costs least by the training labels",
    **{f"decision_cost_{end}": text for end, text in _SPAN.items()},
    "against": "the rung of the lowest decision_cost",
    "difference": "decision_cost minus that of the rung `against`",
    "difference_low": "lower end of its interval, 95 % for all rungs together, as the lowest was chosen among them",
    "difference_high": "upper end of that interval",
}


@dataclass(frozen=True)
class ExpectedCosts:
    """The costs of all rungs.

    Attributes:
        study: the runs.
        costs: float64 [classes, classes], the cost of each true class (row) answered as each class (column).
    """

    study: StudyResult
    costs: Floats

    @cached_property
    def predicted(self) -> Scores:
        """Minus the mean cost of a text where each is given the class that the rung predicts."""
        return self._scores(self.study.rung_results)

    @cached_property
    def decided(self) -> Scores:
        """Minus the mean cost of a text where each is given the class of the least expected cost."""
        return self._scores([self._deciding(result) for result in self.study.rung_results])

    def _deciding(self, result: RungResult) -> RungResult:
        """Return the runs with the decisions in place of scores, as 1 for the class and 0 for the others."""
        result = with_probabilities(result, self.study.labels / SIZES_LIKE)
        classes = np.eye(len(self.costs))
        runs = [
            run
            if run.predictions is None
            else replace(run, predictions=classes[least_cost_classes(np.asarray(run.predictions), self.costs)])
            for run in result.runs
        ]
        return replace(result, runs=runs)

    def _scores(self, results: Sequence[RungResult]) -> Scores:
        """Score the runs; how far those of slow rungs differ is taken from them alone, as that of losses is."""
        by, least = cost_metric(self.costs), self.study.labels / SIZES_LIKE
        kept = [replace(each, runs=[run for run in each.runs if run.labels >= least]) for each in results]
        return replace(measure(kept, self.study.task, by, self.study.scores.bootstrap), run_priors={})

    @cached_property
    def by_cost(self) -> list[str]:
        """The rungs measured on all labels, the lowest cost of decisions first; of equal ones the cheapest to run."""
        names = [result.rung.name for result in self.study.measured]
        return sorted(names, key=lambda name: -self.decided.mean(name, self.study.labels))

    def tables(self) -> dict[str, Table]:
        """Return the costs as given, and what they make of each rung that was measured on all labels."""
        rows = [self.row(result.rung.name) for result in self.study.measured]
        as_given = confusion_costs_table(self.costs, self.study.task.classes)
        return {"expected_costs": Table.of(rows, EXPECTED_COSTS), "confusion_costs": as_given}

    def row(self, rung: str) -> dict[str, Any]:
        """Return the costs of one rung, as the table has them."""
        difference, span = self.difference(rung)
        return {
            "rung": rung,
            **self._cost(self.predicted, rung, "predicted_cost"),
            **self._cost(self.decided, rung, "decision_cost"),
            "against": self.by_cost[0],
            "difference": difference,
            **span.columns("difference_"),
        }

    def _cost(self, scores: Scores, rung: str, name: str) -> dict[str, float]:
        labels, most = self.study.labels, float(self.costs.max())
        span = scores.score_interval(rung, labels).negated().within(0.0, most)
        return {name: -TEXTS * scores.mean(rung, labels), **_times(span, TEXTS).columns(f"{name}_")}

    def difference(self, rung: str) -> tuple[float, Interval]:
        """Return the cost of a rung's decisions minus the lowest of all, and its interval."""
        best, labels = self.by_cost[0], self.study.labels
        level = 1 - ERROR / max(1, len(self.by_cost) - 1)
        span = self.decided.gap_interval(best, rung, labels, level)
        return TEXTS * self.decided.gap(best, rung, labels), _times(span, TEXTS)

    def constant_class(self) -> str:
        """Return the class that costs least where all texts are given it, by the shares of the training labels."""
        task = self.study.task
        counts = np.bincount(np.asarray(task.gold(task.train)), minlength=len(task.classes))
        return task.classes[int((counts @ self.costs).argmin())]

    def threshold(self) -> dict[str, Any]:
        """Return the positive class of two and the probability from which it is decided for; empty where none is."""
        task = self.study.task
        if len(task.classes) != 2:  # noqa: PLR2004 - of two classes
            return {}
        positive = positive_class(task)
        threshold = probability_threshold(self.costs, positive)
        return {} if threshold is None else {"positive": task.classes[positive], "threshold": threshold}


def _times(span: Interval, factor: float) -> Interval:
    return Interval(factor * span.low, factor * span.high)
