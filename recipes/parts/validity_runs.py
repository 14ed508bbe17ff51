"""The runs behind the validity study: what every rung predicts for a small study's test part and for the remainder.

They take minutes a data set and depend on the rungs alone, so they are kept in a file each. After a change of
the verdict's rule, the same runs are judged again in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from specialist_models import CountedGrams, score, tuned
from wordworth import seeds
from wordworth.files import atomic_write
from wordworth.representations.finetuning_settings import QUICK
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import RunContext, Rung
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.run_cache import Fitted, packed, unpacked
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.tasks.task import Task

TRAIN, TEST, REMAINDER = 900, 300, 2_000
SEEDS, TRUTH_SEEDS, TAG_TRUTH_SEEDS = 5, 6, 3
_SPECIALIST = "specialist"


@dataclass(frozen=True)
class Part:
    """One draw of labelled rows from a data set: the small study, and the remainder as truth."""

    task: Task
    small: np.ndarray
    large: np.ndarray
    grid: LabelGrid


def part(whole: Task, number: int) -> Part:
    """Draw the rows; `small` and `large` index `task.test`: the study's test part, and the remainder.

    The task holds the drawn rows alone, as every rung reads and keeps all that its task holds.

    Args:
        whole: all rows of the data set.
        number: the number of the draw.
    """
    order = seeds.child(0, "validity", whole.name, number).permutation(len(whole.examples))[: TRAIN + TEST + REMAINDER]
    rows = np.concatenate([np.sort(order[:TRAIN]), order[TRAIN:]])
    train, test = np.split(np.arange(len(rows)), [TRAIN])
    examples, labels = whole.examples.take(rows), whole.gold(rows)
    task = replace(whole, examples=examples, labels=labels, numbers=None, warnings=(), train=train, test=test)
    orders = tuple(seeds.child(number, "subset", seed).permutation(task.train) for seed in range(SEEDS + TRUTH_SEEDS))
    items = np.arange(len(task.test))
    return Part(task, items[:TEST], items[TEST:], LabelGrid((TRAIN // 4, TRAIN), orders))


@dataclass(frozen=True)
class PartRuns:
    """The runs of one part, and what a specialist's model of its labels scores on the remainder, 0 to 1, or None."""

    rung_results: list[RungResult]
    specialist: float | None


def cached_runs(file: Path, of: Part, run_context: RunContext, *, finetune: bool) -> PartRuns:
    """Return the runs of a part from a file; make them and write the file where it is missing.

    Args:
        file: an .npz of packed runs.
        of: the part.
        run_context: cache, threads and progress.
        finetune: whether the encoder is fine-tuned too, at the top size.
    """
    ladder = default_ladder(of.task.kind, models=("minilm",), vectors=(), finetune=QUICK if finetune else None)
    if not file.exists():
        _write(file, _made(of, ladder, run_context))
    return _read(file, ladder)


def _made(of: Part, ladder: list[Rung], run_context: RunContext) -> PartRuns:
    """Fit every rung on the subsets of the study, and the quick ones on the further draws that are the truth."""
    rung_results = open_rungs(ladder, of.task, run_context, ())
    small, many = TRAIN // 4, range(SEEDS + (TAG_TRUTH_SEEDS if of.task.type.labels_words else TRUTH_SEEDS))
    pairs = {
        entry.rung.name: [(TRAIN, seed) for seed in range(2)]
        if entry.rung.slow
        else [*((TRAIN, seed) for seed in range(SEEDS)), *((small, seed) for seed in many)]
        for entry in rung_results
    }
    fit_all(rung_results, pairs, of.task, of.grid, run_context)
    return PartRuns([entry for entry in rung_results if entry.runs], _specialist(of))


def _specialist(of: Part) -> float | None:
    """What the specialist's model of all labels of the part scores on the remainder; None for tagging."""
    task = of.task
    if task.type.labels_words:
        return None
    answers = tuned(task, task.train, CountedGrams.of(task, task.train)).answers
    return score(task, task.gold(task.test[of.large]), answers[of.large]) / 100


def _write(file: Path, runs: PartRuns) -> None:
    arrays: dict[str, Any] = {
        f"{run.rung}|{run.labels}|{run.seed}": packed(Fitted(run.predictions, run.chosen, run.seconds))
        for entry in runs.rung_results
        for run in entry.runs
        if run.predictions is not None
    }
    arrays[_SPECIALIST] = np.array(np.nan if runs.specialist is None else runs.specialist)
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(file) as target, target.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def _read(file: Path, ladder: list[Rung]) -> PartRuns:
    with np.load(file, allow_pickle=False) as arrays:
        outside = float(arrays[_SPECIALIST])
        runs = [_run(key, unpacked(arrays[key])) for key in arrays.files if key != _SPECIALIST]
    results = [RungResult(rung, runs=[run for run in runs if run.rung == rung.name]) for rung in ladder]
    return PartRuns([entry for entry in results if entry.runs], None if np.isnan(outside) else outside)


def _run(key: str, fitted: Fitted) -> Run:
    rung, labels, seed = key.split("|")
    return Run(rung, int(labels), int(seed), fitted.predictions, fitted.chosen, fitted.seconds)
