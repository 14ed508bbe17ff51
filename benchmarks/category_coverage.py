"""How often the intervals of `worth --category` hold the true lead of context, and how often what they say is false.

    PYTHONPATH=benchmarks python benchmarks/category_coverage.py --out docs/records/category_coverage.json

A study has six rungs, one of them constant, and test rows of several categories; the true lead of context is known in
each. Rows are answered as in `simulated_ladder` where there is a test part, and as in `cross_fitting` where there are
folds; what is printed comes from the project's own `Categories`, with the pair of rungs that it chooses.

*False* is a category in which context is said to help while its true lead is 0 or less, or to hurt while it is 0 or
more; *false in a study*, one such category or more. *Covered* is the share of printed intervals that hold the true
lead of the two rungs that are compared, *all covered* that of studies all of whose intervals do: these leave 5 % to
all categories together. A category of 12 rows is left out; what its interval would be is measured all the same. Cells
that the record holds already are not simulated again.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy.special import ndtri

from cross_fitting import GAP_VARIANCE, LEARNED, World, runs, tasks
from measure import in_parts
from simulated_ladder import SimulatedRung, SimulatedStudy
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.studies.worth.decision_rule import ERROR
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.scores_by_category import HELPS, HURTS, Categories
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study_result import StudyResult
from wordworth.tasks.examples import Category, Examples
from wordworth.tasks.reading.row_categories import LEAST_ROWS
from wordworth.tasks.task import Task

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung

SETTINGS, RUNS = WorthSettings(draws=400), 3
SIZES = (12, 30, 30, 100, 100, 300)
"""Test rows of each category."""
TRAINING_ROWS = 400
LABEL_RATIO = 0.3
"""With folds: the variance of a difference over m labels, in variances over m items, as the prior has it."""
CHEAP, CONTEXTUAL = (0.78, 0.77, 0.76), (0.78, 0.77)
"""Accuracies, over the categories without a lead of context."""


@dataclass(frozen=True, slots=True)
class Design:
    """Studies of one kind.

    Attributes:
        name: what is special of it.
        lead_of_context: true lead of the best contextual rung over the best cheap one in each category of `SIZES`; the
            other rungs of a kind keep their distance from the best.
        folds: whether every row is predicted by a run that learned from the other folds; else there is a test part.
        cheap, contextual: accuracies of the rungs in a category without a lead.
    """

    name: str
    lead_of_context: tuple[float, ...]
    folds: bool = False
    cheap: tuple[float, ...] = CHEAP
    contextual: tuple[float, ...] = CONTEXTUAL

    @property
    def category(self) -> Integers:
        """The number of the category of each test row, int64 [rows]."""
        return np.repeat(np.arange(len(SIZES)), SIZES)

    @property
    def rungs(self) -> tuple[SimulatedRung, ...]:
        """The rungs, a constant one first; with folds, runs differ by the labels that they learned from."""
        run_sd = float(np.sqrt(LABEL_RATIO * GAP_VARIANCE / (LEARNED * sum(SIZES)) / 2)) if self.folds else 0.005
        named = [(f"cheap-{i}", "counts", value) for i, value in enumerate(self.cheap)]
        named += [(f"contextual-{i}", "frozen", value) for i, value in enumerate(self.contextual)]
        constant = SimulatedRung("constant", "constant", 0.55, RUNS, run_sd=0.0)
        return constant, *(SimulatedRung(*each, RUNS, run_sd) for each in named)

    def accuracy(self, rung: SimulatedRung) -> Floats:
        """Return the true accuracy of a rung in each category, float64 [categories]."""
        return rung.accuracy + (floats(self.lead_of_context) if rung.contextual else np.zeros(len(SIZES)))

    def shift(self, rung: SimulatedRung) -> Floats:
        """Return what makes the rows easier for a rung, on the latent scale, float64 [rows]."""
        level, spread = rung.latent
        wanted = ndtri(self.accuracy(rung)) * np.hypot(1, spread)
        return floats((wanted - level)[self.category])


def study_of(design: Design, number: int) -> StudyResult:
    """Simulate one study of a design; its seed follows from the design's name and the number."""
    task, results, grid = (with_folds if design.folds else with_test_part)(design, number)
    listed: list[tuple[Category, ...]] = [
        (Category("phenomenon", f"{SIZES[each]} rows, {each}"),) for each in design.category.tolist()
    ]
    listed += [()] * (len(task.examples) - len(listed))
    task = replace(task, examples=replace(task.examples, categories=tuple(listed)))
    scores = measure(results, task, metric("accuracy", task.classes), Bootstrap(SETTINGS.draws, number))
    return StudyResult(task, grid, results, scores, margin=0.01)


def with_test_part(design: Design, number: int) -> tuple[Task, list[RungResult], LabelGrid]:
    """Return a task with a test part, and `RUNS` runs of each rung on all labels."""
    rng, items = seeds.child(number, design.name), sum(SIZES)
    rows = np.arange(items + TRAINING_ROWS)
    labels = rng.integers(2, size=len(rows))
    examples = Examples(tuple(map(str, rows)))
    task = Task("simulated", "classification", examples, labels, ("no", "yes"), rows[items:], rows[:items], "accuracy")
    world = SimulatedStudy(design.rungs, items)
    ease = world.ease(rng)
    shifted = {rung.name: ease[rung.name] + design.shift(rung) for rung in world.rungs}
    right, grid = world.answers(shifted, rng), label_grid(task, SETTINGS)
    results = []
    for rung in world.rungs:
        predicted = np.where(right[rung.name], labels[:items], 1 - labels[:items])
        made = [Run(rung.name, grid.top, seed, floats(np.eye(2)[run]), {}, 0.0) for seed, run in enumerate(predicted)]
        results.append(RungResult(cast("Rung", rung), runs=made))
    return task, results, grid


def with_folds(design: Design, number: int) -> tuple[Task, list[RungResult], LabelGrid]:
    """Return a task with folds, and the runs of each rung on the sizes whose variance the intervals read."""
    rungs = design.rungs
    drawn = World.drawn(len(rungs), sum(SIZES), seeds.child(number, design.name))
    world = replace(drawn, ease=drawn.ease + np.stack([design.shift(rung) for rung in rungs]))
    task = tasks(world, number)["folds"]
    grid, results = label_grid(task, SETTINGS), []
    for index, rung in enumerate(rungs):
        made = runs(world, index, rung, grid, task, seeds.child(number, rung.name))
        results.append(RungResult(cast("Rung", rung), runs=made))
    return task, results, grid


def outcome(design: Design, number: int) -> dict[str, Any]:
    """Simulate one study of a design; return what is printed of each category, beside the truth."""
    study = study_of(design, number)
    categories = Categories.of(study)
    rows = categories.tables()["category_gaps"].rows()
    rungs = {rung.name: rung for rung in design.rungs}
    printed = []
    for row in rows:
        which = int(row["category"].split(", ")[1])
        true = float((design.accuracy(rungs[row["contextual"]]) - design.accuracy(rungs[row["cheap"]]))[which])
        if row["left_out"]:
            printed.append(unprinted(study, design.category == which, (row["contextual"], row["cheap"]), true))
            continue
        false = (row["answer"] == HELPS and true <= 0) or (row["answer"] == HURTS and true >= 0)
        covered = row["low"] <= true <= row["high"]
        width, helps = row["high"] - row["low"], row["answer"] == HELPS
        printed.append({"rows": row["rows"], "covered": covered, "false": false, "helps": helps, "width": width})
    left_out = [row for row in printed if row["rows"] < LEAST_ROWS]
    return {"printed": [row for row in printed if row["rows"] >= LEAST_ROWS], "left out": left_out}


def unprinted(study: StudyResult, rows: Flags, pair: tuple[str, str], true: float) -> dict[str, Any]:
    """Return what the interval of a category that is left out would be, at the level of the others.

    Args:
        study: the simulated study.
        rows: bool [test rows], those of the category.
        pair: the contextual and the cheap rung that are compared.
        true: the true lead of the first in the category.
    """
    scores = study.rescored("accuracy", rows.astype(np.float64))
    span = scores.gap_interval(*pair, study.labels, 1 - ERROR / (len(SIZES) - 1))
    false = (span.low > 0 and true <= 0) or (span.high < 0 and true >= 0)
    width = span.high - span.low
    return {"rows": int(rows.sum()), "covered": true in span, "false": false, "helps": span.low > 0, "width": width}


def summary(outcomes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of a design, by number of rows and over all categories of a study."""
    printed = [row for each in outcomes for row in [*each["printed"], *each["left out"]]]
    figures: dict[str, Any] = {
        "studies": len(outcomes),
        "false in a study": float(np.mean([any(row["false"] for row in each["printed"]) for each in outcomes])),
        "all covered": float(np.mean([all(row["covered"] for row in each["printed"]) for each in outcomes])),
    }
    for size in sorted({row["rows"] for row in printed}):
        of_size = [row for row in printed if row["rows"] == size]
        figures[f"{size} rows"] = {
            name: float(np.mean([row[name] for row in of_size])) for name in ("covered", "false", "helps", "width")
        }
    return figures


def designs() -> Iterator[Design]:
    """Yield the designs: leads of 0 to 15 points everywhere, in some categories, against each other; even rungs."""
    many, even = len(SIZES), (0.78,) * 4
    for folds, kind in ((False, "test part"), (True, "folds")):
        yield Design(f"{kind}, no lead", (0.0,) * many, folds)
        yield Design(f"{kind}, no lead, one cheap and four even contextual", (0.0,) * many, folds, (0.78,), even)
        yield Design(f"{kind}, 15 ahead in half of the categories", (0.0, 0.15) * (many // 2), folds)
        if not folds:
            yield Design(f"{kind}, 5 ahead in all", (0.05,) * many)
            yield Design(f"{kind}, 10 ahead in half, 10 behind in half", (0.1, -0.1) * (many // 2))


def simulated(options: argparse.Namespace, pool: Executor) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield the name of each design that was asked for, with a function that simulates it."""
    for design in designs():
        if options.design in design.name:
            yield design.name, partial(simulate, design, options.studies, pool)


def simulate(design: Design, studies: int, pool: Executor) -> dict[str, Any]:
    """Return the summary of a number of studies of a design."""
    return summary(list(pool.map(partial(outcome, design), range(studies), chunksize=5)))


def main() -> None:
    """Simulate every design and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=300, help="studies a design")
    parser.add_argument("--design", default="", help="simulate the designs alone whose names hold this")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path, help="the record to write")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes) as pool:
        in_parts(simulated(options, pool), "designs", options.out)


if __name__ == "__main__":
    run_script(main)
