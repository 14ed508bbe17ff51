"""The record's table of expected costs: what the errors on a thousand texts cost, by the user's costs of confusions.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

Each rung is costed twice: by the classes that it predicts, and by decisions for the class of the least expected cost
under its calibrated probabilities. Both mean costs are computed run by run on the resamples of the study's one
bootstrap, like the task's metric. `measures.added_test_items` adds the costliest error of each class to the resamples:
a test part may lack the rare errors that cost twenty times the others, and intervals would then be far too narrow
(`tests/studies/worth/test_expected_costs.py` simulates this).
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
from wordworth.studies.worth.probability_scores import positive_class, with_probabilities
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import SIZES_LIKE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult

TEXTS = 1_000
"""The number of texts whose cost the table gives."""
_LEAST_SHARE = 1 / (2 * SIZES_LIKE)
"""Share of all labels from which on runs are costed: at four numbers of labels at least, each twice the one before."""
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
    """What the predictions of each rung of a study cost, by a matrix of misclassification costs.

    Attributes:
        study: the study, with the runs of its rungs.
        costs: float64 [classes, classes]; [i, j] is the cost of predicting class j for a text of class i.
    """

    study: StudyResult
    costs: Floats

    @cached_property
    def predicted(self) -> Scores:
        """The scores of all runs if each text gets the class that the rung predicts; a score is minus the mean cost."""
        return self._scores(self.study.rung_results)

    @cached_property
    def decided(self) -> Scores:
        """The scores, minus mean costs, of all runs if each text gets the class of lowest expected cost."""
        return self._scores([self._deciding(result) for result in self.study.rung_results])

    def _deciding(self, result: RungResult) -> RungResult:
        """Return a rung's runs with its decisions as predictions: 1 for the chosen class and 0 for other classes."""
        result = with_probabilities(result, self.study.labels * _LEAST_SHARE)
        classes = np.eye(len(self.costs))
        runs = [
            run
            if run.predictions is None
            else replace(run, predictions=classes[least_cost_classes(np.asarray(run.predictions), self.costs)])
            for run in result.runs
        ]
        return replace(result, runs=runs)

    def _scores(self, results: Sequence[RungResult]) -> Scores:
        """Return the scores of the runs: the mean cost of a text, negated, so that a higher score is better.

        The variance between runs is estimated from these runs alone (`run_priors` is empty): priors from other data
        sets exist for the usual metrics, not for costs.
        """
        by, least = cost_metric(self.costs), self.study.labels * _LEAST_SHARE
        kept = [replace(each, runs=[run for run in each.runs if run.labels >= least]) for each in results]
        return replace(measure(kept, self.study.task, by, self.study.scores.bootstrap), run_priors={})

    @cached_property
    def by_cost(self) -> list[str]:
        """Names of the rungs that learned from all labelled examples, the rung with the lowest mean cost first.

        The cost is counted as in `decided`: each text gets the class of lowest expected cost. Of rungs with equal cost,
        the rung that is cheaper to run comes first.
        """
        names = [result.rung.name for result in self.study.measured]
        return sorted(names, key=lambda name: -self.decided.mean(name, self.study.labels))

    def tables(self) -> dict[str, Table]:
        """Return the table `expected_costs`, and the table `confusion_costs` of the user's costs.

        The table `expected_costs` has a row for each rung that learned from all labelled examples.
        """
        rows = [self.row(result.rung.name) for result in self.study.measured]
        as_given = confusion_costs_table(self.costs, self.study.task.classes)
        return {"expected_costs": Table.of(rows, EXPECTED_COSTS), "confusion_costs": as_given}

    def row(self, rung: str) -> dict[str, Any]:
        """Return the row of the table `expected_costs` for the rung called `rung`."""
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
        """Return how much more a rung costs than the first rung of `by_cost`, with the interval of this difference.

        The costs are for `TEXTS` (1,000) texts, each of which gets the class of lowest expected cost. The intervals of
        all rungs hold together with 95 % probability (Bonferroni).

        Args:
            rung: name of the rung.
        """
        best, labels = self.by_cost[0], self.study.labels
        level = 1 - ERROR / max(1, len(self.by_cost) - 1)
        span = self.decided.gap_interval(best, rung, labels, level)
        return TEXTS * self.decided.gap(best, rung, labels), _times(span, TEXTS)

    def constant_class(self) -> str:
        """Return the name of the class that costs least if every text is answered with this class.

        The shares of the true classes are taken from the training part.
        """
        task = self.study.task
        counts = np.bincount(np.asarray(task.gold(task.train)), minlength=len(task.classes))
        return task.classes[int((counts @ self.costs).argmin())]

    def threshold(self) -> dict[str, Any]:
        """Return the probability of the positive class above which predicting this class has the lower expected cost.

        Returns:
            `positive`, the name of the class, and `threshold`, the probability; empty if there are not two classes, or
            if the costs give no threshold.
        """
        task = self.study.task
        if len(task.classes) != 2:  # noqa: PLR2004 - of two classes
            return {}
        positive = positive_class(task)
        threshold = probability_threshold(self.costs, positive)
        return {} if threshold is None else {"positive": task.classes[positive], "threshold": threshold}


def _times(span: Interval, factor: float) -> Interval:
    return Interval(factor * span.low, factor * span.high)
