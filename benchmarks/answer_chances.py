"""How likely more rows have a definite answer, as a verdict that cannot tell says it, beside how often they have one.

    PYTHONPATH=benchmarks python benchmarks/answer_chances.py --out docs/records/answer_chances.json

The world is that of `simulated_ladder`, with a true lead that is drawn for each study. A study that cannot tell is
followed: with twice, four and ten times the items, its own among them, and new runs, as these learn from more labels.
Cells that the record holds already are not simulated again, so that a long run can be made in parts.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from measure import in_parts
from simulated_ladder import LABELS, SimulatedStudy, errs
from verdict_simulation import ROWS_PER_TEST_ITEM, ladder, mean
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.studies.worth.rows_to_decide import TIMES, rows_to_decide

_WIDEST_LEAD = 0.06


def chances(items: int, run_sd: float, lead_sd: float, studies: int, pool: Executor) -> dict[str, Any]:
    """How likely a verdict says that more rows have a definite answer, beside how often they have one.

    Args:
        items: test items of the first study.
        run_sd: standard deviation of the accuracy between runs.
        lead_sd: that of the true leads, normal about 0; infinite for leads that are even over a range far wider than an
            interval of such studies.
        studies: number of studies.
        pool: the processes that make them.
    """
    rows = list(pool.map(partial(followed_study, items, run_sd, lead_sd), range(studies), chunksize=10))
    open_ones = [row for row in rows if row is not None]
    return {
        "studies": studies,
        "cannot tell yet": len(open_ones),
        "definite and wrong": mean(wrong for row in open_ones for wrong in row["wrong"]),
        **{f"{times} times": calibration([row["of"][index] for row in open_ones]) for index, times in enumerate(TIMES)},
    }


def calibration(pairs: Sequence[tuple[float, bool]]) -> dict[str, Any]:
    """The mean chance that was said and the share of definite answers: of all, and of four groups by the chance."""
    ordered = np.array(sorted(pairs), dtype=np.float64).reshape(-1, 2)
    groups = [group.mean(axis=0).tolist() for group in np.array_split(ordered, 4) if len(group)]
    return {"said": mean(ordered[:, 0]), "definite": mean(ordered[:, 1]), "quarters": groups}


def followed_study(items: int, run_sd: float, lead_sd: float, number: int) -> dict[str, Any] | None:
    """One study of a random true lead that cannot tell, and its further looks with more items; None where it tells.

    The items of the study are among those of each look, which has new runs: they learn from more labels.

    Args:
        items: test items of the study.
        run_sd: as for `chances`.
        lead_sd: likewise.
        number: the number of the study, its seed.
    """
    rng = seeds.child(number, "chance of an answer", items, str(run_sd), str(lead_sd))
    gap = float(rng.uniform(-_WIDEST_LEAD, _WIDEST_LEAD) if math.isinf(lead_sd) else lead_sd * rng.standard_normal())
    rungs = ladder([0.78, 0.76, 0.74], [0.78 + gap, 0.775 + gap], run_sd=run_sd)
    largest = SimulatedStudy(rungs, items * max(TIMES))
    ease, study = largest.ease(rng), replace(largest, items=items)
    scores = study.scores(study.answers(ease, rng), number)
    verdict = study.verdict(scores)
    forecast = rows_to_decide(verdict, scores, LABELS, ROWS_PER_TEST_ITEM * items)
    if verdict.answer != "cannot tell yet" or not forecast.chances:
        return None
    looks = [replace(study, items=items * times) for times in TIMES]
    later = [look.verdict(look.scores(look.answers(ease, rng), number), 2) for look in looks]
    definite = [each.answer != "cannot tell yet" for each in later]
    wrong = [errs(each, study.truth, study.margin) for each in later]
    return {"of": list(zip(forecast.chances, definite, strict=True)), "wrong": wrong}


def cells(studies: int, pool: Executor) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield the name of each cell, with a function that simulates it.

    Args:
        studies: studies of each.
        pool: the processes that make them.
    """
    for items in (250, 1_000):
        for run_sd in (0.0, 0.005, 0.01):
            for how, lead_sd in (("even", math.inf), ("within 2 points", 0.02)):
                name = f"{items} items, runs differ by {100 * run_sd:.1f}, leads {how}"
                yield name, partial(chances, items, run_sd, lead_sd, studies, pool)


def main() -> None:
    """Simulate the cells and print each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=150, help="studies a cell")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path, help="the record to write")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes) as pool:
        in_parts(cells(options.studies, pool), "cells", options.out)


if __name__ == "__main__":
    run_script(main)
