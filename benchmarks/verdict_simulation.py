"""How often the verdict of `worth` errs where the truth is known, cell by cell.

    python benchmarks/verdict_simulation.py --out docs/records/verdict_simulation.json    # 500 studies a cell
    python benchmarks/verdict_simulation.py --studies 100 --question "nested errors"                # a part of it

A study of a cell is a ladder of `simulated_ladder`, judged by the project's own `Scores` and `judge`. A verdict errs
where it says that a rung suffices which is more than the margin behind the best, or that context is worth it where no
contextual rung leads every cheap one by more than the margin.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from measure import report
from simulated_ladder import LABELS, SimulatedRung, SimulatedStudy
from wordworth import seeds
from wordworth.representations.finetuned import FineTuned
from wordworth.studies.worth.decision_rule import Verdict, labels_needed

ANSWERS = ("cheap suffices", "contextual is worth it", "cannot tell yet")
ASSUMED = FineTuned.assumed_run_sd
ROWS_PER_TEST_ITEM = 4
"""A quarter of the rows are test items where no test part is named."""
_MOST_ITEMS = 20_000
_LOOKS = 5


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
        bias: the printed difference minus the true one.
        covered: whether the printed interval holds the true difference.
        rows_advised: the labelled rows that it advises; nan where it is definite.
        other_by_half: whether a definite verdict turns on a random half of the test items.
    """

    answer: str
    wrong: bool
    bias: float
    covered: bool
    rows_advised: float
    other_by_half: bool


def ladder(cheap: list[float], contextual: list[float], *, run_sd: float = 0.005) -> tuple[SimulatedRung, ...]:
    """A constant rung at 55 %, then cheap and contextual rungs of these accuracies."""
    constant = SimulatedRung("constant", "constant", 0.55, run_sd=0.0)
    rungs = [SimulatedRung(f"cheap-{number}", "counts", value, run_sd=run_sd) for number, value in enumerate(cheap)]
    frozen = [
        SimulatedRung(f"contextual-{number}", "frozen", value, run_sd=run_sd) for number, value in enumerate(contextual)
    ]
    return (constant, *rungs, *frozen)


def nested() -> Iterator[Cell]:
    """A cheap rung past the margin whose errors hold those of the better one: rungs that hardly disagree."""
    for items in (12, 40, 100, 200, 300):
        for behind in (0.011, 0.015, 0.02):
            rungs = ladder([0.97 - behind], [0.97], run_sd=0.0)
            study = SimulatedStudy(rungs, items, item_share=1.0, rung_share=0.0)
            yield Cell(f"nested errors, {items} items, {100 * behind:.1f} behind", "nested errors", study)


def advice() -> Iterator[Cell]:
    """True leads of 0 to 3 points: does the number of rows that is advised decide?"""
    for items in (250, 1_000):
        for lead in (0.0, 0.01, 0.02, 0.03):
            rungs = ladder([0.78, 0.76, 0.74], [0.78 + lead, 0.775 + lead])
            yield Cell(f"{items} items, true lead {100 * lead:.0f}", "rows advised", SimulatedStudy(rungs, items))


def small_leads() -> Iterator[Cell]:
    """A true lead just under the margin."""
    for items in (1_000, 2_000, 4_000):
        rungs = ladder([0.80, 0.78, 0.76], [0.809, 0.80])
        yield Cell(f"{items} items, true lead 0.9 under a margin of 1", "small lead", SimulatedStudy(rungs, items))


def several_cheap() -> Iterator[Cell]:
    """Four equal cheap rungs just past the margin."""
    for items in (1_000, 4_000):
        rungs = ladder([0.7895] * 4, [0.80, 0.78])
        yield Cell(f"{items} items, four cheap rungs 1.05 behind", "several cheap rungs", SimulatedStudy(rungs, items))


def context_behind() -> Iterator[Cell]:
    """Context far behind two equal cheap rungs: is it said that a cheap rung suffices?"""
    for items in (250, 500, 1_000):
        rungs = ladder([0.80, 0.80, 0.76], [0.75, 0.74])
        yield Cell(f"{items} items, context 5 behind two equal", "context behind", SimulatedStudy(rungs, items))


def printed_leads() -> Iterator[Cell]:
    """Small true leads: the printed one is that of a pair chosen for its lead."""
    for lead in (0.003, 0.006, 0.009):
        rungs = ladder([0.80, 0.798, 0.796], [0.80 + lead, 0.799 + lead])
        yield Cell(f"1000 items, true lead {100 * lead:.1f}", "printed lead", SimulatedStudy(rungs, 1_000))


def single_runs() -> Iterator[Cell]:
    """One fine-tuned run, where runs differ by more or less than is assumed."""
    for run_sd in (0.005, 0.01, 0.0135, 0.02):
        tuned = SimulatedRung("finetuned", "finetuned", 0.80, runs=1, run_sd=run_sd, assumed_sd=ASSUMED)
        study = SimulatedStudy((*ladder([0.80, 0.78], []), tuned), 1_000)
        yield Cell(f"1000 items, runs differ by {100 * run_sd:.2f}", "one run", study)


CELLS = (nested, advice, small_leads, several_cheap, context_behind, printed_leads, single_runs)


def outcome(cell: Cell, number: int) -> Outcome:
    """Simulate and judge one study of a cell; its seed follows from the cell's name and the number."""
    study = cell.study
    rng = seeds.child(number, cell.name)
    right = study.right(rng)
    scores = study.scores(right, number)
    verdict = study.verdict(scores)
    first, second = compared(verdict)
    truth = study.truth[first] - study.truth[second]
    interval = scores.gap_interval(first, second, LABELS)
    advised = labels_needed(verdict, ROWS_PER_TEST_ITEM * study.items)
    unsure = verdict.answer == "cannot tell yet"
    half = rng.permutation(study.items) < study.items // 2
    by_half = study.verdict(study.scores({name: answers[:, half] for name, answers in right.items()}, number))
    return Outcome(
        answer=verdict.answer,
        wrong=errs(verdict, study),
        bias=scores.gap(first, second, LABELS) - truth,
        covered=truth in interval,
        rows_advised=advised if unsure else math.nan,
        other_by_half=not unsure and by_half.answer != verdict.answer,
    )


def compared(verdict: Verdict) -> tuple[str, str]:
    """The two rungs whose difference the verdict prints."""
    cheap = verdict.cheap_contender or verdict.cheap[0]
    if verdict.answer == "cheap suffices":
        return verdict.rung, verdict.of(verdict.rung).rival
    if verdict.answer == "contextual is worth it":
        return verdict.rung, cheap.name
    return cheap.name, cheap.rival


def errs(verdict: Verdict, study: SimulatedStudy) -> bool:
    """True where a definite verdict is false."""
    truth = study.truth
    if verdict.answer == "cheap suffices":
        return truth[verdict.rung] < max(truth.values()) - study.margin - 1e-12
    if verdict.answer == "contextual is worth it":
        best_cheap = max(truth[comparison.name] for comparison in verdict.cheap)
        best = max(truth[comparison.name] for comparison in verdict.contextual)
        return best - best_cheap <= study.margin + 1e-12
    return False


def summary(cell: Cell, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The shares of a cell."""
    by_answer = {answer: [study for study in outcomes if study.answer == answer] for answer in ANSWERS}
    definite = [study for study in outcomes if study.answer != "cannot tell yet"]
    return {
        "question": cell.question,
        "studies": len(outcomes),
        "answers": {answer: len(studies) / len(outcomes) for answer, studies in by_answer.items()},
        "wrong": mean(study.wrong for study in outcomes),
        "other by a random half": mean(study.other_by_half for study in definite),
        "bias": {answer: mean(study.bias for study in studies) for answer, studies in by_answer.items()},
        "coverage": {answer: mean(study.covered for study in studies) for answer, studies in by_answer.items()},
        "rows advised": median_advice(study.rows_advised for study in outcomes),
    }


def median_advice(rows: Iterable[float]) -> float:
    """The median number of rows advised by the studies that leave the question open; infinite where none does."""
    numbers = [number for number in rows if not math.isnan(number)]
    return float(np.median(numbers)) if numbers else math.inf


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    numbers = list(values)
    return float(np.mean(numbers)) if numbers else None


def simulate(cell: Cell, studies: int, pool: Executor) -> dict[str, Any]:
    """The shares of a cell over a number of studies, and of new studies with as many rows as the first ones advise."""
    shares = summary(cell, list(pool.map(partial(outcome, cell), range(studies), chunksize=25)))
    advised = shares["rows advised"] / ROWS_PER_TEST_ITEM
    if cell.question == "rows advised" and math.isfinite(advised):
        larger = replace(cell, study=replace(cell.study, items=min(math.ceil(advised), _MOST_ITEMS)))
        again = summary(larger, list(pool.map(partial(outcome, larger), range(studies, 2 * studies), chunksize=25)))
        shares["definite at the rows advised"] = 1 - again["answers"]["cannot tell yet"]
    return shares


def looks(studies: int, pool: Executor) -> dict[str, Any]:
    """How often context is falsely called worth it where one goes on labelling as advised and looks five times."""
    wrong = pool.map(looks_again, range(studies), chunksize=25)
    return {"question": "looking again", "studies": studies, "wrong": mean(wrong)}


def looks_again(number: int) -> bool:
    """One person who looks, labels what is advised and looks again; true where an answer is ever false."""
    study = SimulatedStudy(ladder([0.80, 0.78, 0.76], [0.80, 0.79]), _MOST_ITEMS)
    right, items = study.right(seeds.child(number, "looking again")), 250
    for _ in range(_LOOKS):
        scores = study.scores({name: answers[:, :items] for name, answers in right.items()}, number)
        verdict = study.verdict(scores)
        if verdict.answer != "cannot tell yet":
            return errs(verdict, study)
        advised = labels_needed(verdict, ROWS_PER_TEST_ITEM * items) / ROWS_PER_TEST_ITEM
        items = min(_MOST_ITEMS, max(math.ceil(1.1 * items), math.ceil(advised) if math.isfinite(advised) else 0))
    return False


def main() -> None:
    """Simulate the cells and print each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=500, help="studies a cell")
    parser.add_argument("--question", help="simulate the cells of one question only")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, help="the record to write")
    choices = parser.parse_args()
    shares = {}
    with ProcessPoolExecutor(choices.processes) as pool:
        for cell in (cell for cells in CELLS for cell in cells()):
            if choices.question in {None, cell.question}:
                shares[cell.name] = simulate(cell, choices.studies, pool)
                print(cell.name, json.dumps(shares[cell.name]), flush=True)
        if choices.question in {None, "looking again"}:
            shares["five looks, no lead"] = looks(choices.studies, pool)
            print("five looks, no lead", json.dumps(shares["five looks, no lead"]), flush=True)
    report({"cells": shares}, choices.out)


if __name__ == "__main__":
    main()
