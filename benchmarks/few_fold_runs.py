"""How far fine-tuning runs differ, and what few folds of them say of others: coverage and errors of the verdict.

    PYTHONPATH=benchmarks python benchmarks/few_fold_runs.py --out docs/records/few_fold_runs.json

A rung that predicts k of five folds has k runs, each with a deviation of its own on its own fold. The deviation of
their common score is counted as 1 / k of the variance of a run, which is a prior (1.1 points, four degrees of freedom)
where the rung learned from one size. Here runs differ by 0.5, 1.1 and 2.0 points, or by 1.1 with Student's distribution
of three degrees of freedom, whatever the prior says.

The world is that of `few_folds`. The true lead of the fine-tuned rung over the best of the three others, over all runs
and all draws of labels, is 0, the margin, or a little more: there a false *ahead*, *worth it* or *suffices* is as
likely as it can be. Counted is also whether the intervals of its gaps hold the gap of other runs on these very labels.
Cells that the record holds already are not simulated again.
"""

from __future__ import annotations

import argparse
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, stdtrit

from cross_fitting import MARGIN, SETTINGS, World, runs, tasks
from few_folds import TUNED, Design, tuned_runs
from measure import in_parts
from simulated_ladder import errs
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.metrics import metric
from wordworth.measures.training_sample_variance import PRIOR_DEGREES, PRIOR_SHARE
from wordworth.studies.worth.decision_rule import judge
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.tasks.task import Task

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung

LEADS = (0.0, MARGIN, 1.2 * MARGIN)
"""True leads of the fine-tuned rung over the best of the others."""
RUNS = {"0.5": (0.005, np.inf), "1.1": (0.011, np.inf), "2.0": (0.02, np.inf), "1.1, heavy tails": (0.011, 3.0)}
"""Standard deviation of the accuracy of runs in points -> the deviation, and its degrees of freedom."""
WHOLE, DRAWS = 3, 500
LUCK_PARTS = 100


@dataclass(frozen=True)
class Study:
    """The rows of one simulated study, and what all rungs but the fine-tuned one predict of them.

    Attributes:
        design: a design of the study; of its fine-tuned rung, nothing is used.
        number: the number of the study, its seed.
    """

    design: Design
    number: int

    @cached_property
    def world(self) -> World:
        """The rows with their effects on each rung."""
        rng = seeds.child(self.number, "world", self.design.rows)
        return World.drawn(len(self.design.rungs), self.design.rows, rng)

    @cached_property
    def task(self) -> Task:
        """The rows in five folds."""
        return tasks(self.world, self.number)["folds"]

    @cached_property
    def grid(self) -> LabelGrid:
        """The subsets that are learned from."""
        return label_grid(self.task, SETTINGS)

    @cached_property
    def others(self) -> list[RungResult]:
        """The runs of the other rungs."""
        return [
            RungResult(
                cast("Rung", rung),
                runs=runs(self.world, index, rung, self.grid, self.task, seeds.child(self.number, rung.name)),
            )
            for index, rung in enumerate(self.design.rungs[:-1])
        ]

    @cached_property
    def scores_of_others(self) -> Scores:
        """The scores of the other rungs, at every size."""
        return self.measured(self.others)

    def measured(self, results: Sequence[RungResult]) -> Scores:
        """Return the scores of runs on the rows of this study."""
        return measure(results, self.task, metric("accuracy", self.task.classes), Bootstrap(DRAWS, self.number))

    def scores(self, design: Design) -> Scores:
        """Return the scores of all rungs, the fine-tuned one as a design has it; only its size is measured anew."""
        rng = seeds.child(self.number, TUNED, design.folds, str(design.run_sd), str(design.tails))
        made = tuned_runs(self.world, design, self.grid, self.task, rng)
        top = [replace(each, runs=[run for run in each.runs if run.labels == self.grid.top]) for each in self.others]
        at_top = self.measured([*top, RungResult(cast("Rung", design.rungs[-1]), runs=made)])
        return replace(at_top, table={**self.scores_of_others.table, **at_top.table})

    def truth_of_these_labels(self, design: Design) -> dict[str, float]:
        """Return each rung's accuracy after learning from the labels as drawn, a mean over all fine-tuning runs."""
        luck = {TUNED: design.luck(stdtrit(design.tails, (np.arange(LUCK_PARTS) + 0.5) / LUCK_PARTS))}
        levels = {
            rung.name: [
                self.world.level(index, rung, self.grid.rows(self.grid.top, fold)) for fold in range(SETTINGS.seeds)
            ]
            for index, rung in enumerate(design.rungs)
        }
        return {name: float(ndtr(np.add.outer(of, luck.get(name, np.zeros(1)))).mean()) for name, of in levels.items()}


def with_true_lead(design: Design, true_lead: float) -> Design:
    """Return the design whose fine-tuned rung has this true lead over the best other rung, over runs and labels."""

    def excess(advantage: float) -> float:
        return replace(design, advantage=advantage).truth[TUNED] - design.best - true_lead

    return replace(design, advantage=float(brentq(excess, true_lead - 0.02, true_lead + 0.02, xtol=1e-15)))


def outcome(rows: int, folds: int, of_runs: str, number: int) -> dict[str, dict[str, float]]:
    """Simulate one study with a fine-tuned rung of each true lead; return lead in points -> figures.

    Args:
        rows: number of labelled rows.
        folds: number of folds, of five, that the fine-tuned rung predicts.
        of_runs: name in `RUNS` of the deviation between fine-tuning runs.
        number: number of the study, which is its seed.
    """
    ratio = PRIOR_SHARE * PRIOR_DEGREES / seeds.child(number, "ratio", rows).chisquare(PRIOR_DEGREES)
    run_sd, tails = RUNS[of_runs]
    base = Design(rows, folds, WHOLE, 0.0, ratio=ratio, run_sd=run_sd, tails=tails)
    study = Study(base, number)
    return {f"{100 * points:g}": figures(study, with_true_lead(base, points)) for points in LEADS}


def figures(study: Study, design: Design) -> dict[str, float]:
    """Return whether the intervals contain each truth, the width of the gap's interval, and false answers."""
    scores, labels, truth = study.scores(design), study.grid.top, design.truth
    others = [rung.name for rung in design.rungs if not rung.is_baseline and rung.name != TUNED]
    spans = {name: scores.gap_interval(TUNED, name, labels) for name in others}
    these = study.truth_of_these_labels(design)

    def coverage(true: Mapping[str, float]) -> float:
        return float(np.mean([true[TUNED] - true[name] in span for name, span in spans.items()]))

    verdict = judge(scores, design.rungs, labels, MARGIN)
    wrong = errs(verdict, truth, MARGIN)
    return {
        "gap covered": coverage(truth),
        "gap of these labels covered": coverage(these),
        "score covered": truth[TUNED] in scores.score_interval(TUNED, labels),
        "width": spans[others[0]].high - spans[others[0]].low,
        "definite": verdict.answer != "cannot tell yet",
        **{f"false {each}": wrong and verdict.answer == each for each in FALSE},
    }


FALSE = ("cheap suffices", "contextual is ahead", "contextual is worth it")


def summary(outcomes: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, Any]:
    """Return the mean of every figure for each lead, and the number of studies."""
    shares = {
        points: {key: float(np.mean([each[points][key] for each in outcomes])) for key in outcomes[0][points]}
        for points in outcomes[0]
    }
    return {"studies": len(outcomes), "leads": shares}


def cells(rows: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Yield the cells with these numbers of rows: (rows, folds, name of the deviation between runs)."""
    yield from itertools.product(rows, (1, 3, 5), RUNS)


def simulated(cell: tuple[int, int, str], studies: int, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """Return the summary of `studies` simulated studies of a cell."""
    return summary(list(pool.map(partial(outcome, *cell), range(studies), chunksize=5)))


def main() -> None:
    """Simulate every cell and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=100, help="studies a cell and lead")
    parser.add_argument("--rows", type=int, nargs="*", default=[100, 300, 1_200])
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path, help="the record to write")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes) as pool:
        parts = [
            (f"{cell[0]} rows, {cell[1]} of 5 folds, runs {cell[2]}", partial(simulated, cell, options.studies, pool))
            for cell in cells(options.rows)
        ]
        in_parts(parts, "cells", options.out)


if __name__ == "__main__":
    run_script(main)
