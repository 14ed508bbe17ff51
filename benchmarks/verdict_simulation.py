"""How often the verdict of `worth` errs where the truth is known, cell by cell.

    python benchmarks/verdict_simulation.py --out docs/records/verdict_simulation.json    # 500 studies a cell
    python benchmarks/verdict_simulation.py --studies 100 --question "nested errors"                # a part of it

Cells that the record holds already are not simulated again, so that a long run can be made in parts.

A study of a cell is a ladder of `simulated_ladder`, judged by the project's own `Scores` and `judge`. A verdict errs
where it says that a rung suffices which is more than the margin behind the best, or that context is worth it where no
contextual rung leads every cheap one by more than the margin.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from measure import in_parts
from simulated_ladder import LABELS, SimulatedRung, SimulatedStudy, errs
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.added_test_items import added_items
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Flags
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.studies.worth.decision_rule import ERROR, Verdict
from wordworth.studies.worth.rows_to_decide import rows_to_decide
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.scores import Bootstrap, Scores, gap_change
from wordworth.studies.worth.selection_corrected_difference import corrected_difference

ANSWERS = ("cheap suffices", "contextual is worth it", "contextual is ahead", "cannot tell yet")
ASSUMED = FineTuned.assumed_run_sd
ROWS_PER_TEST_ITEM = 4
"""A quarter of the rows are test items where no test part is named."""
_MOST_ITEMS = 10_000
_LOOKS = 5
_RARE = 0.02
_RARE_RUNGS = {"one": (0.7, 0.005), "other": (0.6, 0.01)}
"""Name of a rung -> the share of the rare class that it predicts right, and the share of other items it predicts as the
rare class."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One design: its name, the question that it belongs to, and its studies."""

    name: str
    question: str
    study: SimulatedStudy


@dataclass(frozen=True, slots=True)
class Outcome:
    """One study.

    Attributes:
        answer: the answer of the verdict.
        wrong: whether it is definite and false.
        named_wrong: whether it names a cheap rung to keep that is more than the margin behind the best.
        bias: the printed difference minus the true one.
        covered: whether the printed interval holds the true difference.
        rows_advised: the labelled rows that it advises, infinite where it names no number; nan where it is definite.
        other_by_half: whether a definite verdict is said to turn on a random half of the test items.
    """

    answer: str
    wrong: bool
    named_wrong: bool
    bias: float
    covered: bool
    rows_advised: float
    other_by_half: bool


def ladder(cheap: list[float], contextual: list[float], *, run_sd: float = 0.005) -> tuple[SimulatedRung, ...]:
    """Return a ladder of rungs: a constant one of accuracy 0.55, then cheap and contextual ones of these accuracies."""
    constant = SimulatedRung("constant", "constant", 0.55, run_sd=0.0)
    rungs = [SimulatedRung(f"cheap-{number}", "counts", value, run_sd=run_sd) for number, value in enumerate(cheap)]
    frozen = [
        SimulatedRung(f"contextual-{number}", "frozen", value, run_sd=run_sd) for number, value in enumerate(contextual)
    ]
    return (constant, *rungs, *frozen)


def nested() -> Iterator[Cell]:
    """Yield cells with a cheap rung just beyond the margin whose errors include all errors of the better rung."""
    for items in (12, 40, 100, 200, 300, 360):
        for behind in (0.011, 0.015, 0.02):
            rungs = ladder([0.97 - behind], [0.97], run_sd=0.0)
            study = SimulatedStudy(rungs, items, item_share=1.0, rung_share=0.0)
            yield Cell(f"nested errors, {items} items, {100 * behind:.1f} behind", "nested errors", study)


def small_leads() -> Iterator[Cell]:
    """Yield cells with a true lead just under the margin."""
    for items in (1_000, 2_000, 4_000):
        rungs = ladder([0.80, 0.78, 0.76], [0.809, 0.80])
        yield Cell(f"{items} items, true lead 0.9 under a margin of 1", "small lead", SimulatedStudy(rungs, items))


def several_cheap() -> Iterator[Cell]:
    """Yield cells with four equal cheap rungs just beyond the margin."""
    for items in (1_000, 4_000):
        rungs = ladder([0.7895] * 4, [0.80, 0.78])
        yield Cell(f"{items} items, four cheap rungs 1.05 behind", "several cheap rungs", SimulatedStudy(rungs, items))


def context_behind() -> Iterator[Cell]:
    """Yield cells in which contextual rungs are far behind two equal cheap ones, so that a cheap rung suffices."""
    for items in (250, 500, 1_000):
        rungs = ladder([0.80, 0.80, 0.76], [0.75, 0.74])
        yield Cell(f"{items} items, context 5 behind two equal", "context behind", SimulatedStudy(rungs, items))


def printed_leads() -> Iterator[Cell]:
    """Yield cells with small true leads; the printed lead is biased, as its pair of rungs was chosen for the lead."""
    for advantage in (0.003, 0.006, 0.009):
        rungs = ladder([0.80, 0.798, 0.796], [0.80 + advantage, 0.799 + advantage])
        yield Cell(f"1000 items, true lead {100 * advantage:.1f}", "printed lead", SimulatedStudy(rungs, 1_000))


def single_runs() -> Iterator[Cell]:
    """Yield cells with a single fine-tuned run, whose runs differ by more or less than the study assumes."""
    for run_sd in (0.005, 0.01, 0.0135, 0.02):
        tuned = SimulatedRung("finetuned", "finetuned", 0.80, runs=1, run_sd=run_sd, assumed_sd=ASSUMED)
        study = SimulatedStudy((*ladder([0.80, 0.78], []), tuned), 1_000)
        yield Cell(f"1000 items, runs differ by {100 * run_sd:.2f}", "one run", study)


CELLS = (nested, small_leads, several_cheap, context_behind, printed_leads, single_runs)


def outcome(cell: Cell, number: int, look: int = 1) -> Outcome:
    """Simulate and judge one study of a cell; its seed follows from the cell's name and the number."""
    study = cell.study
    rng = seeds.child(number, cell.name)
    right = study.right(rng)
    scores = study.scores(right, number)
    verdict = study.verdict(scores, look)
    half = rng.permutation(study.items) < study.items // 2
    first, second = verdict.compared_pair
    truth = study.truth[first] - study.truth[second]
    interval, gap = scores.gap_interval(first, second, LABELS), scores.gap(first, second, LABELS)
    unsure = verdict.answer == "cannot tell yet"
    if not unsure:
        corrected = corrected_difference(verdict, scores, LABELS)
        interval, gap = corrected.interval, corrected.value
    advised = rows_to_decide(verdict, scores, LABELS, ROWS_PER_TEST_ITEM * study.items)
    return Outcome(
        answer=verdict.answer,
        wrong=errs(verdict, study.truth, study.margin),
        named_wrong=verdict.settled and study.truth[verdict.rung] < max(study.truth.values()) - study.margin - 1e-12,
        bias=gap - truth,
        covered=truth in interval,
        rows_advised=advised.likely if unsure else math.nan,
        other_by_half=not unsure and turns(study, verdict, scores, right, half, number),
    )


def turns(
    study: SimulatedStudy,
    verdict: Verdict,
    scores: Scores,
    right: dict[str, NDArray[np.bool_]],
    half: Flags,
    number: int,
) -> bool:
    """Return whether the verdict is said to be another on a half of the items, as a condition of the study is.

    Args:
        study: the simulated study.
        verdict: its verdict.
        scores: its scores.
        right: by rung, which answers are right, bool [runs, items].
        half: bool [items], the items of the half.
        number: the number of the study, its seed.
    """
    kept = study.scores(right, number, half)
    then = study.verdict(kept, verdict.look)
    if named(then) == named(verdict):
        return False
    return 0 not in gap_change(kept, scores, verdict.compared_pair, (LABELS, LABELS), 1 - ERROR)


def named(verdict: Verdict) -> tuple[str, str]:
    """Return the answer of a verdict and the rung that it names; "" if it names none."""
    return verdict.answer, verdict.rung if verdict.context_leads or verdict.settled else ""


def summary(cell: Cell, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the figures of a cell: the share of each answer, wrong answers, bias and coverage."""
    by_answer = {answer: [study for study in outcomes if study.answer == answer] for answer in ANSWERS}
    definite = [study for study in outcomes if study.answer != "cannot tell yet"]
    return {
        "question": cell.question,
        "studies": len(outcomes),
        "answers": {answer: len(studies) / len(outcomes) for answer, studies in by_answer.items()},
        "wrong": mean(study.wrong for study in outcomes),
        "named wrongly": mean(study.named_wrong for study in outcomes),
        "other by a random half": mean(study.other_by_half for study in definite),
        "bias": {answer: mean(study.bias for study in studies) for answer, studies in by_answer.items()},
        "coverage": {answer: mean(study.covered for study in studies) for answer, studies in by_answer.items()},
        "rows advised": median_advice(study.rows_advised for study in outcomes),
    }


def median_advice(rows: Iterable[float]) -> float | None:
    """Return the median number of rows that studies advise, over those that name a number; None if none does."""
    numbers = [number for number in rows if math.isfinite(number)]
    return float(np.median(numbers)) if numbers else None


def mean(values: Iterable[float]) -> float | None:
    """Return the mean of values; None if there are none."""
    numbers = list(values)
    return float(np.mean(numbers)) if numbers else None


def simulate(cell: Cell, studies: int, pool: Executor) -> dict[str, Any]:
    """Simulate a number of studies of a cell, and return the cell's figures."""
    return summary(cell, list(pool.map(partial(outcome, cell), range(studies), chunksize=25)))


LOOKING = {
    "five looks, no lead": ladder([0.80, 0.78, 0.76], [0.80, 0.79]),
    "five looks, context just past the margin": ladder([0.7895, 0.7895, 0.76], [0.80, 0.79]),
}
"""Ladders of those who look again: falsely *ahead* in the first, falsely *suffices* in the second."""


def repeated_looks(rungs: tuple[SimulatedRung, ...], studies: int, pool: Executor) -> dict[str, Any]:
    """Return how often an answer is false if a user labels as advised and looks at the verdict five times."""
    wrong = pool.map(partial(repeats_look, rungs), range(studies), chunksize=25)
    return {"question": "looking again", "studies": studies, "wrong": mean(wrong)}


def repeats_look(rungs: tuple[SimulatedRung, ...], number: int) -> bool:
    """One person who looks, labels and looks again; true where an answer is ever false.

    Labelled are so many that an answer is likely, or twice as many where no number makes it so.
    """
    study = SimulatedStudy(rungs, _MOST_ITEMS)
    right, items = study.right(seeds.child(number, "looking again")), 250
    for look in range(1, _LOOKS + 1):
        scores = study.scores({name: answers[:, :items] for name, answers in right.items()}, number)
        verdict = study.verdict(scores, look)
        if verdict.answer != "cannot tell yet":
            return errs(verdict, study.truth, study.margin)
        advised = rows_to_decide(verdict, scores, LABELS, ROWS_PER_TEST_ITEM * items).likely / ROWS_PER_TEST_ITEM
        items = min(_MOST_ITEMS, math.ceil(max(1.1 * items, advised if math.isfinite(advised) else 2 * items)))
    return False


def rare_class(items: int, studies: int, pool: Executor) -> dict[str, Any]:
    """Return how often intervals of the F1 of a class of 2 % contain its true value and the difference of two rungs."""
    covered = list(pool.map(partial(rare_class_covered, items), range(studies), chunksize=25))
    names = ("coverage of the difference", "coverage of a score")
    return {"question": "rare class", "studies": studies} | {
        name: mean(each[index] for each in covered) for index, name in enumerate(names)
    }


def rare_class_covered(items: int, number: int) -> tuple[bool, bool]:
    """One study of two rungs, by F1 of a class that 2 % of the items have."""
    rng, measure, classes = seeds.child(number, "rare class", items), metric("f1:yes", ("no", "yes")), ("no", "yes")
    gold = (rng.random(items) < _RARE).astype(np.int64)
    shared, table = rng.standard_normal(items), {}
    weights = item_weights(items, 1_000, seeds.child(number, "bootstrap items"))
    added = added_items(measure, np.array([0, 1]), classes)
    assert added is not None
    added_weights = added.weights(1_000, 1, seeds.child(number, "added items"))
    for name, (recall, false) in _RARE_RUNGS.items():
        easy = np.sqrt(0.6) * shared + np.sqrt(0.4) * rng.standard_normal(items)
        predicted = np.eye(2)[np.where(gold == 1, easy < ndtri(recall), easy < ndtri(false)).astype(np.int64)]
        sides = [added.predicted_with(predicted, first=first) for first in (True, False)]
        both = np.hstack([weights, added_weights])
        compared = np.stack([measure.score(added.gold_with(gold), side, both)[None] for side in sides])
        point = np.array([measure.score(gold, predicted)])
        table[name, LABELS] = RunScores(point, measure.score(gold, predicted, weights)[None], compared)
    scores = Scores(table, Bootstrap(1_000, number), score_range=(0.0, 1.0))
    true = {name: rare_class_f1(*rates) for name, rates in _RARE_RUNGS.items()}
    gap = scores.gap_interval("one", "other", LABELS)
    return true["one"] - true["other"] in gap, true["one"] in scores.score_interval("one", LABELS)


def rare_class_f1(recall: float, false: float) -> float:
    """The F1 over all items of a rung that finds a share of the rare class and falsely names a share of the rest."""
    right, wrong = _RARE * recall, (1 - _RARE) * false
    return 2 * right / (right + wrong + _RARE)


def simulated(options: argparse.Namespace, pool: Executor) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield the name of each cell that was asked for, with a function that simulates it."""
    every: list[tuple[str, str, Callable[[], dict[str, Any]]]] = [
        (cell.name, cell.question, partial(simulate, cell, options.studies, pool))
        for cells in CELLS
        for cell in cells()
    ]
    every += [
        (name, "looking again", partial(repeated_looks, rungs, options.studies, pool))
        for name, rungs in LOOKING.items()
    ]
    every += [
        (f"{items} items, F1 of a class of 2 %", "rare class", partial(rare_class, items, options.studies, pool))
        for items in (100, 200, 300, 1_000)
    ]
    yield from ((name, make) for name, question, make in every if options.question in {None, question})


def main() -> None:
    """Simulate the cells and print each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=500, help="studies a cell")
    parser.add_argument("--question", help="simulate the cells of one question only")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path, help="the record to write")
    choices = parser.parse_args()
    with ProcessPoolExecutor(choices.processes) as pool:
        in_parts(simulated(choices, pool), "cells", choices.out)


if __name__ == "__main__":
    run_script(main)
