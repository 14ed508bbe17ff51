"""Cross-fitting against a held-out part for the verdict of `worth`, simulated: coverage, width, and wrong answers.

    PYTHONPATH=benchmarks python benchmarks/cross_fitting.py --out docs/records/cross_fitting.json

A study of N labelled rows either holds out a quarter of them, or predicts each of five folds by a run that learned from
the others; both fit as often. Both go through the project's own `measure` and `judge`.

The world is that of `simulated_ladder`, but the effect of a run is that of the labels it learned from: label j of the N
moves rung r by g_rj, standard normal, and a run on the subset S of m labels is moved by the mean of g over S, times a
factor. So runs on overlapping labels are moved alike, and the variance over draws of m labels falls as 1 / m. That of
the difference of two rungs over m labels is `ratio` times that over m test items (on real data a third, as
`recipes/label_variance.py` finds), or drawn for each study as the prior of `measures.training_sample_variance` has it.

There are two truths: the mean accuracy of the very runs over all items (these labels), and the mean over all draws of n
labels (new ones). The interval between the best cheap and the best contextual rung is to hold both.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy.special import ndtr

from measure import machine
from simulated_ladder import SimulatedRung, errs
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.measures.training_sample_variance import PRIOR_DEGREES, PRIOR_SHARE
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.settings import WorthSettings
from wordworth.tasks.examples import Examples
from wordworth.tasks.stratified_split import fold
from wordworth.tasks.task import Task

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung

ITEM_SHARE, RUNG_SHARE = 0.6, 0.3
GAP_VARIANCE = 0.21
"""Variance of the difference of two rungs on one item, with these shares and accuracies."""
LEARNED = 0.8
"""Share of the rows that a run on all labels of a study with folds learns from."""
MARGIN, SIZES_READ = 0.01, 4
SETTINGS = WorthSettings(draws=1_000)
ADVANTAGES = {"no lead": 0.0, "lead of 3": 0.03, "behind by 2": -0.02}


@dataclass(frozen=True, slots=True)
class Design:
    """Studies of one kind.

    Attributes:
        rows: number of labelled rows.
        ratio: variance of a difference of two rungs over m labels, in variances over m items; 0 to draw it.
        advantage: true lead of the better contextual rung over the better cheap one.
    """

    rows: int
    ratio: float
    advantage: float

    @property
    def rungs(self) -> tuple[SimulatedRung, ...]:
        """The rungs (simulated classifiers): a constant one, two cheap and two contextual ones."""
        label_sd = float(np.sqrt(self.ratio * GAP_VARIANCE / (LEARNED * self.rows) / 2))
        accuracies = {
            "cheap-0": 0.78,
            "cheap-1": 0.76,
            "contextual-0": 0.78 + self.advantage,
            "contextual-1": 0.77 + self.advantage,
        }
        rungs = [
            SimulatedRung(name, "frozen" if name.startswith("contextual") else "counts", value, run_sd=label_sd)
            for name, value in accuracies.items()
        ]
        return SimulatedRung("constant", "constant", 0.55, run_sd=0.0), *rungs


@dataclass(frozen=True, slots=True)
class World:
    """The rows of one simulated study, with their effects on each rung.

    Attributes:
        labels: true classes of the rows, int64 [rows].
        ease: how easy each row is for each rung, on the latent scale, float64 [rungs, rows].
        moves: effect of each label on a rung that learned from it, on the latent scale, float64 [rungs, rows].
    """

    labels: np.ndarray
    ease: Floats
    moves: Floats

    @classmethod
    def drawn(cls, rungs: int, rows: int, rng: np.random.Generator) -> World:
        """Draw the rows of a study of some rungs."""
        shape = rungs, rows
        shared = np.sqrt(ITEM_SHARE) * rng.standard_normal(rows)
        ease = shared + np.sqrt(RUNG_SHARE) * rng.standard_normal(shape)
        return cls(rng.integers(2, size=rows), ease, rng.standard_normal(shape))

    def level(self, number: int, rung: SimulatedRung, learned: np.ndarray) -> float:
        """Return the latent level of a rung after learning from some rows; it is lower on average for fewer labels."""
        level, spread = rung.latent
        most = LEARNED * len(self.labels)
        moved = spread * np.sqrt(most) * float(self.moves[number, learned].mean())
        return float(level + moved - 0.05 * (np.sqrt(most / len(learned)) - 1))

    def predicted(self, number: int, level: float, items: np.ndarray, rng: np.random.Generator) -> Floats:
        """Return the predictions of a run, float64 [items, 2].

        Args:
            number: the number of the rung.
            level: the latent level of the run.
            items: int64, the rows that it predicts.
            rng: source of its chance with each row.
        """
        chance = np.sqrt(1 - ITEM_SHARE - RUNG_SHARE) * rng.standard_normal(len(items))
        right = level + self.ease[number, items] + chance > 0
        return floats(np.eye(2)[np.where(right, self.labels[items], 1 - self.labels[items])])


@dataclass(frozen=True, slots=True)
class Study:
    """A simulated study: its scores, its verdict, and the true accuracy of each rung for these labels and new ones."""

    scores: Scores
    verdict: Verdict
    labels: int
    these: Mapping[str, float]
    new: Mapping[str, float]


def simulated(design: Design, world: World, task: Task, number: int) -> Study:
    """Fit the ladder on a task over the rows of a world, and judge it.

    Args:
        design: the design of the study.
        world: the rows with their effects on each rung.
        task: the rows, with folds or with a part held out.
        number: number of the study, which is its seed.
    """
    grid = label_grid(task, SETTINGS)
    results, these = [], dict[str, float]()
    for index, rung in enumerate(design.rungs):
        rng = seeds.child(number, rung.name)
        results.append(RungResult(cast("Rung", rung), runs=runs(world, index, rung, grid, task, rng)))
        levels = [world.level(index, rung, grid.rows(grid.top, seed)) for seed in range(SETTINGS.seeds)]
        these[rung.name] = float(np.mean(ndtr(levels)))
    scores = measure(results, task, metric("accuracy", task.classes), Bootstrap(SETTINGS.draws, number))
    new = {rung.name: rung.accuracy for rung in design.rungs}
    return Study(scores, judge(scores, design.rungs, grid.top, MARGIN), grid.top, these, new)


def runs(
    world: World, index: int, rung: SimulatedRung, grid: LabelGrid, task: Task, rng: np.random.Generator
) -> list[Run]:
    """Return the runs of one rung on the sizes whose variance the verdict reads.

    Args:
        world: the rows, and what moves each rung.
        index: the number of the rung.
        rung: the rung.
        grid: the subsets that are learned from.
        task: the task.
        rng: source of chance.
    """
    made = []
    for labels in grid.sizes[-SIZES_READ:]:
        for seed in range(SETTINGS.seeds):
            items = grid.items(labels, seed)
            level = world.level(index, rung, grid.rows(labels, seed))
            tested = task.test if items is None else task.test[items]
            predictions = world.predicted(index, level, tested, rng)
            made.append(Run(rung.name, labels, seed, predictions, {}, 0.0, items=items))
    return made


def tasks(world: World, number: int) -> dict[str, Task]:
    """Return two tasks of the same rows: one with folds, one with a quarter of the rows held out."""
    rows, rng = np.arange(len(world.labels)), seeds.child(number, "split")
    examples = Examples(tuple(str(row) for row in rows))
    folds = fold(rows, world.labels, SETTINGS.seeds, rng)
    whole = Task(
        "simulated", "classification", examples, world.labels, ("no", "yes"), rows, rows, "accuracy", folds=folds
    )
    order = rng.permutation(rows)
    test, train = np.split(order, [len(rows) // 4])
    held_out = Task(
        "simulated", "classification", examples, world.labels, ("no", "yes"), np.sort(train), np.sort(test), "accuracy"
    )
    return {"folds": whole, "held out": held_out}


def outcome(design: Design, number: int) -> dict[str, dict[str, Any]]:
    """Simulate one study of a design, with folds and with a part held out; return the figures of both."""
    rng = seeds.child(number, "world", design.rows, str(design.ratio), str(design.advantage))
    if not design.ratio:
        design = replace(design, ratio=PRIOR_SHARE * PRIOR_DEGREES / rng.chisquare(PRIOR_DEGREES))
    world = World.drawn(len(design.rungs), design.rows, rng)
    return {name: figures(simulated(design, world, task, number)) for name, task in tasks(world, number).items()}


def figures(study: Study) -> dict[str, Any]:
    """Return whether the interval contains each truth, the interval's width, and whether the answer is false."""
    pair = ("contextual-0", "cheap-0")
    span = study.scores.gap_interval(*pair, study.labels)
    true = {name: truth[pair[0]] - truth[pair[1]] for name, truth in (("these", study.these), ("new", study.new))}
    return {
        "width": span.high - span.low,
        "these": true["these"] in span,
        "new": true["new"] in span,
        "definite": study.verdict.answer != "cannot tell yet",
        "wrong these": errs(study.verdict, study.these, MARGIN),
        "wrong new": errs(study.verdict, study.new, MARGIN),
    }


def summary(outcomes: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the mean figures over studies, and the ratio of interval widths with folds and with a held-out part."""
    shares = {
        name: {key: float(np.mean([each[name][key] for each in outcomes])) for key in outcomes[0][name]}
        for name in outcomes[0]
    }
    ratios = [each["folds"]["width"] / each["held out"]["width"] for each in outcomes]
    return {"studies": len(outcomes), **shares, "width ratio": float(np.median(ratios))}


def main() -> None:
    """Simulate every design and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=400, help="studies a design")
    parser.add_argument("--rows", type=int, nargs="*", default=[100, 300, 1_200])
    parser.add_argument("--ratios", type=float, nargs="*", default=[0.0, 0.1, 0.36, 1.2])
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path, help="the record to write")
    options = parser.parse_args()
    shares = {}
    with ProcessPoolExecutor(options.processes) as pool:
        for rows in options.rows:
            for ratio in options.ratios:
                for name, advantage in ADVANTAGES.items():
                    design = Design(rows, ratio, advantage)
                    key = f"{rows} rows, ratio {ratio or 'drawn'}, {name}"
                    shares[key] = summary(list(pool.map(partial(outcome, design), range(options.studies), chunksize=5)))
                    print(key, json.dumps(shares[key]), flush=True)
    if options.out is not None:
        write_text(options.out, json.dumps({"designs": shares, "machine": machine()}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
