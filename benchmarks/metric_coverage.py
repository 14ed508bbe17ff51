"""How often intervals of `worth` hold the true value, for the numbers that other simulations leave out.

    PYTHONPATH=benchmarks python benchmarks/metric_coverage.py --out docs/records/metric_coverage.json

Correlations and R squared of values, macro F1 with rare classes, losses and calibration of probabilities, scores on the
surest texts, groups that are few or unequal, the best of several equal rungs, and label multiples. Predictions are
drawn, and what is printed of them comes from the project's own tables. The truth is that of 400,000 rows; for macro F1,
also the mean score of the simulated studies: on few rows it is below that of many. All rows are one test part, with one
run of each rung, and answers do not depend on labels learned from. Cells that the record holds already are not
simulated again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from scipy.special import ndtr, ndtri

from measure import in_parts
from simulated_ladder import SimulatedRung
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.bootstrap import Interval, item_weights
from wordworth.measures.calibration import ITEMS_A_BIN, MOST_BINS
from wordworth.measures.log_loss_and_brier import brier_scores, log_losses
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Floats, Gold, Integers, floats
from wordworth.studies.worth.abstention import abstention_table, surest
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.learning_curves import extend_curve, multiples_table
from wordworth.studies.worth.probability_scores import probabilities_table
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.study_result import StudyResult
from wordworth.tasks.examples import Examples
from wordworth.tasks.task import Task

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung

DRAWS, MANY = 400, 400_000
FIRST, SECOND = "first", "second"
Cell = tuple[str, Callable[[], dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows of a world: their labels, the predictions of each rung, and the group of each row if rows have groups."""

    gold: Gold
    predicted: Mapping[str, Floats]
    groups: Integers | None = None


class World(Hashable, Protocol):
    """What the rows of a study are drawn from."""

    @property
    def kind(self) -> str:
        """The kind of task."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes; empty for values."""

    def sample(self, rows: int, rng: np.random.Generator) -> Sample:
        """Draw rows, or about as many in whole groups."""


@dataclass(frozen=True)
class Values:
    """Numbers that two rungs predict with errors that are half shared: normal, or lognormal like prices."""

    lognormal: bool
    kind: str = "regression"
    classes: tuple[str, ...] = ()

    def sample(self, rows: int, rng: np.random.Generator) -> Sample:
        """Draw rows."""
        value, shared, *own = rng.standard_normal((4, rows))
        errors = [np.sqrt(0.5) * (shared + each) for each in own]
        if self.lognormal:
            predicted = [np.exp(0.85 * value + 0.45 * errors[0]), np.exp(0.75 * value + 0.6 * errors[1])]
            return Sample(np.exp(value), dict(zip((FIRST, SECOND), predicted, strict=True)))
        predicted = [0.7 * value + 0.55 * errors[0], 0.6 * value + 0.6 * errors[1]]
        return Sample(value, dict(zip((FIRST, SECOND), predicted, strict=True)))


@dataclass(frozen=True)
class Classes:
    """Classes of given shares; a wrong answer is any class by its share, and easy rows are easy for every rung.

    Attributes:
        shares: the share of each class.
        accuracies: each rung with the share of rows whose class it finds.
    """

    shares: tuple[float, ...]
    accuracies: tuple[tuple[str, float], ...] = ((FIRST, 0.8), (SECOND, 0.7))
    kind: str = "single"

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return tuple(map(str, range(len(self.shares))))

    def sample(self, rows: int, rng: np.random.Generator) -> Sample:
        """Draw rows."""
        gold, shared = rng.choice(len(self.shares), rows, p=self.shares), rng.standard_normal(rows)
        predicted = {}
        for name, accuracy in self.accuracies:
            is_found = np.sqrt(0.6) * shared + np.sqrt(0.4) * rng.standard_normal(rows) < ndtri(accuracy)
            answered = np.where(is_found, gold, rng.choice(len(self.shares), rows, p=self.shares))
            predicted[name] = np.eye(len(self.shares))[answered]
        return Sample(gold, predicted)


@dataclass(frozen=True)
class Probabilities:
    """Two classes, normal with unit variance, and a rung whose log-odds are the true ones times a factor.

    Attributes:
        distance: half the distance of the means of the two classes: Phi(distance) is the rung's accuracy.
        factor: above 1, the rung is too sure.
    """

    distance: float
    factor: float
    kind: str = "single"
    classes: tuple[str, ...] = ("no", "yes")

    def sample(self, rows: int, rng: np.random.Generator) -> Sample:
        """Draw rows."""
        gold = rng.integers(2, size=rows)
        log_odds = 2 * self.distance * (rng.standard_normal(rows) + self.distance * (2 * gold - 1))
        return Sample(gold, {FIRST: np.stack([np.zeros(rows), self.factor * log_odds], axis=1)})


@dataclass(frozen=True)
class Groups:
    """Rows of authors who are each easier or harder for each rung, 12 rows an author: all alike, or 1 to many.

    Attributes:
        unequal: whether the numbers of rows of authors are lognormal.
    """

    unequal: bool
    kind: str = "single"
    classes: tuple[str, ...] = ("no", "yes")

    def sample(self, rows: int, rng: np.random.Generator) -> Sample:
        """Draw rows / 12 authors."""
        count = rows // 12
        sizes = np.exp(rng.standard_normal(count) - 0.5) if self.unequal else np.ones(count)
        author = np.repeat(np.arange(count), np.maximum(1, np.round(12 * sizes)).astype(np.int64))
        gold, shared = rng.integers(2, size=len(author)), 0.8 * rng.standard_normal(count)
        predicted = {}
        for name, level in ((FIRST, 1.1), (SECOND, 0.8)):
            is_right = rng.random(len(author)) < ndtr(level + shared + 0.8 * rng.standard_normal(count))[author]
            predicted[name] = np.eye(2)[np.where(is_right, gold, 1 - gold)]
        return Sample(gold, predicted, author)


def study_of(world: World, sample: Sample, metric_name: str, number: int) -> StudyResult:
    """Return the study of a sample, whose rows are all test rows.

    Args:
        world: the world that the sample is of.
        sample: the rows.
        metric_name: name of the metric.
        number: the number of the study, its seed.
    """
    rows = np.arange(len(sample.gold))
    groups = None if sample.groups is None else tuple(sample.groups.tolist())
    examples = Examples(tuple(f"text {row}" for row in rows.tolist()), groups=groups)
    task = Task("simulated", world.kind, examples, sample.gold, world.classes, rows, rows, metric_name)
    results = [
        RungResult(cast("Rung", SimulatedRung(name, "counts", 0.5)), runs=[Run(name, len(rows), 0, each, {}, 0.0)])
        for name, each in sample.predicted.items()
    ]
    scores = measure(results, task, metric(metric_name, world.classes), Bootstrap(DRAWS, number))
    return StudyResult(task, LabelGrid((len(rows),), ()), results, scores, margin=0.01)


def studies(world: World, metric_name: str, rows: int, count: int) -> Iterator[StudyResult]:
    """Yield simulated studies.

    Args:
        world: what their rows are drawn from.
        metric_name: name of the metric.
        rows: number of rows of a study.
        count: number of studies; the seed of a study is its number.
    """
    for number in range(count):
        yield study_of(world, world.sample(rows, seeds.child(number, repr(world), rows)), metric_name, number)


def coverage(intervals: list[Interval], truth: float) -> float:
    """Return the share of intervals that hold the truth."""
    return float(np.mean([truth in each for each in intervals]))


@cache
def _true_scores(world: World, metric_name: str) -> dict[str, float]:
    sample, by = world.sample(MANY, np.random.default_rng(0)), metric(metric_name, world.classes)
    return {name: by.score(sample.gold, each) for name, each in sample.predicted.items()}


def of_scores(world: World, metric_name: str, rows: int, count: int) -> dict[str, Any]:
    """Return how often the intervals of a rung's score and of the difference of two rungs hold the truth.

    Args:
        world: what the rows of the studies are drawn from.
        metric_name: name of the metric.
        rows: number of rows of a study.
        count: number of studies.
    """
    scores, gaps, means, true = [], [], [], _true_scores(world, metric_name)
    for study in studies(world, metric_name, rows, count):
        scores.append(study.scores.score_interval(FIRST, study.labels))
        gaps.append(study.scores.gap_interval(FIRST, SECOND, study.labels))
        means.append(study.scores.mean(FIRST, study.labels))
    return {
        "studies": count,
        "score": true[FIRST],
        "score held": coverage(scores, true[FIRST]),
        "gap held": coverage(gaps, true[FIRST] - true[SECOND]),
        "mean score": float(np.mean(means)),
        "mean score held": coverage(scores, float(np.mean(means))),
    }


def of_best(world: Classes, rows: int, count: int) -> dict[str, Any]:
    """Return how often the interval of the best of equal rungs holds their accuracy, and how much luck raises it."""
    true, intervals, bests = _true_scores(world, "accuracy")[FIRST], [], []
    for study in studies(world, "accuracy", rows, count):
        best = max(study.scores.table, key=lambda key: study.scores.mean(*key))[0]
        intervals.append(study.scores.score_interval(best, study.labels))
        bests.append(study.scores.mean(best, study.labels))
    return {"studies": count, "score held": coverage(intervals, true), "raised by": float(np.mean(bests)) - true}


def of_probabilities(world: Probabilities, rows: int, count: int) -> dict[str, Any]:
    """Return how often the intervals of losses, of the calibration error and of the surest texts hold the truth."""
    true = true_of_probabilities(world, rows)
    intervals: dict[str, list[Interval]] = {name: [] for name in true}
    for study in studies(world, "accuracy", rows, count):
        row = next(iter(probabilities_table(study).rows()))
        for name in ("log_loss", "brier", "calibration_error"):
            intervals[name].append(Interval(row[f"{name}_low"], row[f"{name}_high"]))
        for each in abstention_table(study).rows():
            intervals[f"surest {each['share']:g}"].append(Interval(each["low"], each["high"]))
    return {
        "studies": count,
        "true": true,
        "held": {name: coverage(spans, true[name]) for name, spans in intervals.items()},
    }


@cache
def true_of_probabilities(world: Probabilities, rows: int) -> dict[str, float]:
    """Return the true losses, calibration error and scores on the surest texts of a rung.

    Args:
        world: the world.
        rows: number of rows of a study, by which the bins of the calibration error are as many as in the study.
    """
    sample = world.sample(MANY, np.random.default_rng(0))
    gold, log_odds = np.asarray(sample.gold), sample.predicted[FIRST][:, 1]
    probability = 1 / (1 + np.exp(-log_odds))
    both = np.stack([1 - probability, probability], axis=1)
    sure, right = both.max(axis=1), (probability > 0.5) == gold
    true_sure = 1 / (1 + np.exp(-np.abs(log_odds) / world.factor))
    bins = max(1, min(MOST_BINS, rows // ITEMS_A_BIN))
    off = np.array_split((true_sure - sure)[np.argsort(sure)], bins)
    shares = {f"surest {share:g}": float(right[surest(sure, share)].mean()) for share in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)}
    return {
        "log_loss": float(log_losses(gold, both).mean()),
        "brier": float(brier_scores(gold, both).mean()),
        "calibration_error": round(float(np.sqrt(np.mean([each.mean() ** 2 for each in off]))), 6),
        **shares,
    }


SIZES = np.array([60, 120, 240, 480, 960])
TIMES = 4
"""The cheap rung of the simulated curves needs so many times the labels of the contextual one."""


def accuracy_at(rung: str, labels: float) -> float:
    """Return the true accuracy of a rung of the simulated curves."""
    own = labels / (TIMES if rung == SECOND else 1)
    return float(0.92 - 1.6 * own**-0.45)


def curves(items: int, runs: int, number: int) -> Scores:
    """Draw the scores of two rungs at every number of labels: runs differ by the labels that they drew."""
    rng = seeds.child(number, "curves", items, runs)
    weights, shared, table = item_weights(items, DRAWS, rng), np.sqrt(0.6) * rng.standard_normal(items), {}
    for rung in (FIRST, SECOND):
        own = np.sqrt(0.3) * rng.standard_normal(items)
        for labels in SIZES.tolist():
            run_sd = 0.01 * np.sqrt(SIZES[-1] / labels) if labels < SIZES[-1] else 0.003
            level, spread = SimulatedRung(rung, "counts", accuracy_at(rung, labels), run_sd=run_sd).latent
            luck = spread * rng.standard_normal((runs, 1)) + np.sqrt(0.1) * rng.standard_normal((runs, items))
            right = floats(level + shared + own + luck > 0)
            table[rung, labels] = RunScores(right.mean(axis=1), right @ weights.T / items)
    return Scores(table, Bootstrap(DRAWS, number), score_range=(0.0, 1.0))


def of_curves(items: int, runs: int, count: int) -> dict[str, Any]:
    """Return how often the interval of a label multiple that is no bound holds, and that of a score at double."""
    multiples: dict[str, list[bool]] = {"needed": [], "saved": []}
    doubled = list[bool]()
    for number in range(count):
        scores = curves(items, runs, number)
        for row in multiples_table(scores, [SECOND], [FIRST]).rows():
            if row["state"] == "exact":
                multiples[row["direction"]].append(row["low"] <= TIMES <= row["high"])
        extension = extend_curve(scores, FIRST)
        assert extension is not None
        doubled.append(accuracy_at(FIRST, 2.0 * SIZES[-1]) in extension.intervals[0])
    shares = {f"{name} held": float(np.mean(each)) for name, each in multiples.items()}
    counts = {f"{name} multiples": len(each) for name, each in multiples.items()}
    return {"studies": count, **counts, **shares, "score at double held": float(np.mean(doubled))}


def falling_shares(classes: int, power: float) -> tuple[float, ...]:
    """Return shares of classes that fall with a power of their rank, as those of intents do."""
    shares = 1 / np.arange(1.0, classes + 1) ** power
    return tuple((shares / shares.sum()).tolist())


def value_cells(count: int) -> Iterator[Cell]:
    """Yield the cells of correlations and R squared."""
    for world, name in ((Values(lognormal=False), "normal"), (Values(lognormal=True), "lognormal")):
        for by in ("pearson", "spearman", "r2"):
            for rows in (40, 80, 150, 300):
                yield f"values, {name}, {by}, {rows} rows", partial(of_scores, world, by, rows, count)


def class_cells(count: int) -> Iterator[Cell]:
    """Yield the cells of macro F1, of groups, and of the best of equal rungs."""
    for shares, name in (
        ((0.6, 0.38, 0.02), "3 classes, one of 2 %"),
        (falling_shares(20, 1.0), "20 classes"),
        (falling_shares(150, 0.7), "150 classes"),
    ):
        for rows in (100, 300, 1_000):
            yield f"macro F1, {name}, {rows} rows", partial(of_scores, Classes(shares), "macro_f1", rows, count)
    for authors in (5, 10, 20, 40):
        for kind in ("equal", "unequal"):
            world = Groups(kind == "unequal")
            yield f"{authors} {kind} groups", partial(of_scores, world, "accuracy", 12 * authors, count)
    for rungs in (2, 4, 8):
        equal = Classes((0.5, 0.5), ((FIRST, 0.6), *((f"rung {number}", 0.6) for number in range(1, rungs))))
        for rows in (100, 300, 1_000):
            yield f"best of {rungs} equal rungs, {rows} rows", partial(of_best, equal, rows, count)


def other_cells(count: int) -> Iterator[Cell]:
    """Yield the cells of probabilities and of label multiples."""
    for distance, factor in ((1.0, 1.0), (1.0, 2.0), (2.2, 1.0), (2.2, 2.0)):
        for rows in (60, 100, 300, 1_000):
            name = f"probabilities, {100 * ndtr(distance):.1f} % right, log-odds times {factor:g}, {rows} rows"
            yield name, partial(of_probabilities, Probabilities(distance, factor), rows, count)
    for items, runs in ((300, 3), (300, 5), (1_000, 5)):
        yield f"label multiples, {items} test rows, {runs} runs", partial(of_curves, items, runs, count)


def main() -> None:
    """Simulate the cells and print each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=300, help="studies a cell")
    parser.add_argument("--out", type=writable_path, help="the record to write")
    options = parser.parse_args()
    every = (make(options.studies) for make in (value_cells, class_cells, other_cells))
    in_parts(chain.from_iterable(every), "cells", options.out)


if __name__ == "__main__":
    run_script(main)
