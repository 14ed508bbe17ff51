"""Intervals over groups hold over new groups, where the truth is simulated; over rows they do not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.stats import norm
from tests.studies.fake_ladder import FakeLearner, FakePredictor, FakeRung, constant, task

from wordworth.measures.metrics import metric
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.settings import WorthSettings
from wordworth.tasks.group_split import balanced_parts

ACCURACY = metric("accuracy", ("class 0", "class 1"))
AUTHORS, ROWS, STUDIES = 30, 12, 250
LEVEL, SPREAD = {"cheap": 0.8, "dear": 1.1}, 0.8
GAP = float(np.subtract(*(norm.cdf(level / np.sqrt(1 + SPREAD**2)) for level in LEVEL.values())))
"""The true difference over all authors: each author is easier or harder for each rung by a normal effect of its own."""


def authors_of(made):
    return tuple((np.arange(len(made.examples)) % AUTHORS).tolist())


def of_authors(rows):
    """A made-up task of texts by authors, all of them tested on, learned from in no run that matters here."""
    made = task(rows)
    return replace(
        made, test=np.arange(rows), train=np.arange(rows), examples=replace(made.examples, groups=authors_of(made))
    )


def answered(made, rng):
    """The answers of the two rungs, each right with a probability of its own for each author."""
    gold, author = np.asarray(made.labels), np.array(authors_of(made))
    results = []
    for name, level in LEVEL.items():
        effect = level + SPREAD * rng.standard_normal(AUTHORS)
        right = rng.random(len(gold)) < norm.cdf(effect)[author]
        run = Run(name, len(gold), 0, np.eye(2)[np.where(right, gold, 1 - gold)], {}, 0.0)
        results.append(RungResult(FakeRung(name, "counts", constant(0)), runs=[run]))
    return results


def holds(made, results):
    scores = measure(results, made, ACCURACY, Bootstrap(200, 0))
    return GAP in scores.gap_interval("cheap", "dear", len(made.test))


@pytest.fixture(scope="module")
def coverage():
    """How often the interval of the two rungs' difference holds the true one: with groups named, and without."""
    grouped, rng = of_authors(AUTHORS * ROWS), np.random.default_rng(0)
    single = replace(grouped, examples=replace(grouped.examples, groups=None))
    held = []
    for _ in range(STUDIES):
        results = answered(grouped, rng)
        held.append((holds(grouped, results), holds(single, results)))
    return np.mean(held, axis=0)


def test_over_groups_the_interval_holds_the_difference_of_new_groups(coverage):
    assert 0.92 <= coverage[0] <= 0.98


def test_over_rows_it_does_not(coverage):
    assert coverage[1] < 0.8


@dataclass(frozen=True)
class Swayed(FakeRung):
    """As often right as the authors that it has learned from make it: each sways it by an effect of its own."""

    effects: tuple[float, ...] = ()

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return SwayedLearner(self, task)


class SwayedLearner(FakeLearner):
    def fit(self, rows, rng):
        effects = np.array(self.rung.effects)[np.array(authors_of(self.task))[rows]]
        return FakePredictor(self.task, 0.8 + float(effects.mean()), int(rng.integers(2**31)), {})


def label_variance(made, effects, seed):
    """The variance that the labels give to the difference of a rung that is swayed from one that is not."""
    rungs = [Swayed("swayed", "counts", constant(0), effects=effects), FakeRung("steady", "counts", constant(0.8))]
    settings, run_context = WorthSettings(seed=seed), RunContext(threads=1, seed=seed)
    grid, results = label_grid(made, settings), open_rungs(rungs, made, run_context, ())
    fit_all(results, {rung.name: grid.runs(rung) for rung in rungs}, made, grid, run_context)
    return measure(results, made, ACCURACY, Bootstrap(200, seed)).gap_variance("swayed", "steady", grid.top).label_draws


@pytest.mark.slow
def test_subsets_of_whole_groups_show_how_far_other_groups_to_learn_from_would_move_a_rung():
    """Subsets of rows, from all groups, show next to nothing of it: what is left is mostly the prior."""
    made = of_authors(AUTHORS * ROWS)
    part = balanced_parts(np.array(authors_of(made)), made.labels, [0.2] * 5, np.random.default_rng(0))
    made = replace(made, folds=tuple(np.flatnonzero(part == number) for number in range(5)))
    single, found = replace(made, examples=replace(made.examples, groups=None)), []
    for seed in range(20):
        effects = tuple((0.3 * np.random.default_rng(seed).standard_normal(AUTHORS)).tolist())
        swayed, steady = (
            [label_variance(each, moved, seed) for each in (made, single)] for moved in (effects, (0.0,) * AUTHORS)
        )
        found.append(np.subtract(swayed, steady))
    of_groups, of_rows = np.mean(found, axis=0)
    assert of_groups > 2.5 * max(of_rows, 0.0)
    assert of_groups > 0
