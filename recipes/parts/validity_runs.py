"""The runs behind the validity study: what every rung predicts for the rows of a small study and for the remainder.

They take minutes a data set and depend on the rungs alone, so they are kept in a file each. After a change of
the verdict's rule, the same runs are judged again in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from specialist_models import CountedGrams, score, tuned
from wordworth import seeds
from wordworth.files import atomic_write
from wordworth.representations.finetuning_settings import QUICK
from wordworth.representations.ladder import default_ladder, select_rungs
from wordworth.representations.rung import RunContext, Rung
from wordworth.studies.worth.label_grid import DECISIVE_SEEDS, LabelGrid
from wordworth.studies.worth.run_cache import Fitted, packed, unpacked
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.tasks.labels import strata
from wordworth.tasks.stratified_split import fold
from wordworth.tasks.task import Rows, Task

ROWS, REMAINDER, SEEDS = 1_200, 2_000, 5
LABELS = ROWS * (SEEDS - 1) // SEEDS
QUARTER = LABELS // 4
SIZES = (LABELS // 8, QUARTER, LABELS // 2, LABELS)
MOST_DRAWS, MOST_TAGGED_DRAWS = 5, 2
_SPECIALIST, _STUDY, _FRESH = "specialist", "study", "fresh"


@dataclass(frozen=True, slots=True)
class StudyGrid(LabelGrid):
    """The label grid of a study whose runs also predict the remainder.

    Attributes:
        remainder: indices of the remainder into the test part.
    """

    remainder: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def items(self, labels: int, seed: int) -> Rows:
        """Return the items that a run predicts: those of the study, then the remainder."""
        of_study = LabelGrid.items(self, labels, seed)
        return self.remainder if of_study is None else np.concatenate([of_study, self.remainder])


@dataclass(frozen=True)
class Part:
    """One draw of labelled rows from a data set: a small study, the remainder as truth, and fresh draws of labels.

    Attributes:
        study: the rows of the study, in folds, then the remainder; both are test rows.
        grid: the subsets of the study's rows.
        fresh: rows that the study never saw, in draws of `LABELS` rows to learn from, and the remainder to test on;
            None if the data set is too small for two draws.
        fresh_grid: the label grid of these draws.
    """

    study: Task
    grid: LabelGrid
    fresh: Task | None
    fresh_grid: LabelGrid

    @property
    def remainder(self) -> Rows:
        """Indices of the remaining rows in the test part of `study`."""
        return np.arange(ROWS, len(self.study.test))


def part(whole: Task, number: int) -> Part:
    """Draw the rows; a task holds the drawn rows alone, as every rung reads and keeps all that its task holds.

    Args:
        whole: all rows of the data set.
        number: the number of the draw.
    """
    order = seeds.child(0, "validity", whole.name, number).permutation(len(whole.examples))
    rows, remainder, rest = np.sort(order[:ROWS]), order[ROWS : ROWS + REMAINDER], order[ROWS + REMAINDER :]
    study = _task(whole, np.concatenate([rows, remainder]), ROWS, tested=0)
    folds = fold(np.arange(ROWS), strata(whole.gold(rows)), SEEDS, seeds.child(number, "folds"))
    study = replace(study, folds=folds)
    pools = (train for train, _ in study.splits)
    subsets = tuple(seeds.child(number, "subset", seed).permutation(pool) for seed, pool in enumerate(pools))
    tagging = whole.type.labels_words
    groups = np.arange(len(study.examples))
    grid = StudyGrid(
        SIZES, subsets, tagging=tagging, classes=len(study.classes), folds=folds, groups=groups,
        remainder=np.arange(ROWS, len(groups)),
    )  # fmt: skip
    draws = min(MOST_TAGGED_DRAWS if tagging else MOST_DRAWS, len(rest) // LABELS)
    orders = tuple(np.split(np.arange(draws * LABELS), draws)) if draws > 1 else ()
    pool = rest[: draws * LABELS]
    fresh = _task(whole, np.concatenate([pool, remainder]), len(pool), tested=len(pool)) if draws > 1 else None
    return Part(study, grid, fresh, LabelGrid((QUARTER, LABELS), orders, classes=len(study.classes)))


def _task(whole: Task, rows: Rows, learned: int, *, tested: int) -> Task:
    """The task over some rows, of which the first `learned` are for training and those from `tested` on for testing."""
    every = np.arange(len(rows))
    return replace(
        whole, examples=whole.examples.take(rows), labels=whole.gold(rows), numbers=None, warnings=(),
        train=every[:learned], test=every[tested:],
    )  # fmt: skip


@dataclass(frozen=True)
class PartRuns:
    """The runs of one part.

    Attributes:
        study, fresh: the runs of the study, and those on fresh draws of labels.
        specialist: what a specialist's model of the study's labels scores on the remainder, 0 to 1, or None.
    """

    study: list[RungResult]
    fresh: list[RungResult]
    specialist: float | None


def cached_runs(file: Path, of: Part, run_context: RunContext, *, finetune: bool) -> PartRuns:
    """Return the runs of a part from files; make them and write the files where they are missing.

    The runs of the fine-tuned rung have a file of their own, so that they can be made after all others.

    Args:
        file: an .npz of packed runs.
        of: the part.
        run_context: cache, threads and progress.
        finetune: whether the encoder is fine-tuned too, at the top size.
    """
    rungs = default_ladder(of.study.kind, models=("minilm",), vectors=(), finetune=QUICK if finetune else None)
    ladder = select_rungs(rungs, ())
    quick = [rung for rung in ladder if not rung.slow]
    if not file.exists():
        _write(file, _made(of, quick, run_context))
    runs = _read(file, of, quick)
    if not finetune:
        return runs
    own = file.with_stem(f"{file.stem}-finetuned")
    slow = [rung for rung in ladder if rung.slow]
    if not own.exists():
        _write(own, _finetuned(of, slow, run_context))
    return replace(runs, study=runs.study + _read(own, of, slow).study)


def _finetuned(of: Part, slow: list[Rung], run_context: RunContext) -> PartRuns:
    """Fit the slow rungs on all labels, in as many folds as `worth` does."""
    study = open_rungs(slow, of.study, run_context, ())
    pairs = {entry.rung.name: [(LABELS, seed) for seed in range(DECISIVE_SEEDS)] for entry in study}
    fit_all(study, pairs, of.study, of.grid, run_context)
    return PartRuns([entry for entry in study if entry.runs], [], None)


def _made(of: Part, quick: list[Rung], run_context: RunContext) -> PartRuns:
    """Fit the quick rungs on the subsets of the study and on the fresh draws, and the specialist's model."""
    study = open_rungs(quick, of.study, run_context, ())
    fit_all(study, {entry.rung.name: of.grid.runs(entry.rung) for entry in study}, of.study, of.grid, run_context)
    fresh: list[RungResult] = []
    if of.fresh is not None:
        fresh = open_rungs(quick, of.fresh, run_context, ())
        fit_all(fresh, {entry.rung.name: of.fresh_grid.runs() for entry in fresh}, of.fresh, of.fresh_grid, run_context)
    return PartRuns([entry for entry in study if entry.runs], [entry for entry in fresh if entry.runs], _specialist(of))


def _specialist(of: Part) -> float | None:
    """What the specialist's model of the study's labels scores on the remainder; None for tagging."""
    task, learned = of.study, of.grid.rows(LABELS, 0)
    if task.type.labels_words:
        return None
    answers = tuned(task, learned, CountedGrams.of(task, learned)).answers
    return score(task, task.gold(task.test[of.remainder]), answers[of.remainder]) / 100


def _write(file: Path, runs: PartRuns) -> None:
    arrays: dict[str, Any] = {
        f"{which}|{run.rung}|{run.labels}|{run.seed}": packed(Fitted(run.predictions, run.chosen, run.seconds))
        for which, results in ((_STUDY, runs.study), (_FRESH, runs.fresh))
        for entry in results
        for run in entry.runs
        if run.predictions is not None
    }
    arrays[_SPECIALIST] = np.array(np.nan if runs.specialist is None else runs.specialist)
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(file) as target, target.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def _read(file: Path, of: Part, ladder: list[Rung]) -> PartRuns:
    with np.load(file, allow_pickle=False) as arrays:
        outside = float(arrays[_SPECIALIST])
        fitted = {key: unpacked(arrays[key]) for key in arrays.files if key != _SPECIALIST}
    study, fresh = (list(_results(fitted, which, of, ladder)) for which in (_STUDY, _FRESH))
    return PartRuns(study, fresh, None if np.isnan(outside) else outside)


def _results(fitted: dict[str, Fitted], which: str, of: Part, ladder: Iterable[Rung]) -> Iterator[RungResult]:
    for rung in ladder:
        runs = []
        for key, run in fitted.items():
            part_name, name, labels, seed = key.split("|")
            if (part_name, name) == (which, rung.name):
                items = of.grid.items(int(labels), int(seed)) if which == _STUDY else None
                runs.append(Run(name, int(labels), int(seed), run.predictions, run.chosen, run.seconds, items=items))
        if runs:
            yield RungResult(rung, runs=sorted(runs, key=lambda run: (run.labels, run.seed)))
