"""Staged transfer from end to end: all stages and their controls, the saved model and the `Record`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.folder_lock import alone_in
from wordworth.studies.finetune.results import StudyResults
from wordworth.studies.finetune.stage_checks import require_stages
from wordworth.studies.finetune.staged_record import staged_record
from wordworth.studies.finetune.staged_transfer_controls import Chain, chains
from wordworth.studies.finetune.study import announce_replaced, best_run, make_restarts, num_processes
from wordworth.training.finetuning.best_model import save_best_model
from wordworth.training.finetuning.check_linked_entities import require_entities
from wordworth.training.finetuning.run_inputs import initial_encoder, require_fit
from wordworth.training.finetuning.staged_transfer import require_ended
from wordworth.training.finetuning.worker_pool import worker_pool

if TYPE_CHECKING:
    from wordworth.progress import Progress
    from wordworth.records import Record
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.settings import FinetuneSettings


def staged_study(
    tasks: Sequence[Task],
    settings: FinetuneSettings,
    out: Path,
    progress: Progress,
    earlier: str = "",
    *,
    runs: Path | None = None,
) -> Record:
    """Fine-tune an encoder on tasks one after the other, with several seeds, and save the best run's last model.

    Runs are stored in `out/runs`: a stopped study resumes, and the runs of a stage that exist already are not repeated.

    Args:
        tasks: two tasks or more, the target task last.
        settings: the settings of every stage; settings of multiple choice apply to stages of that kind alone.
        out: the folder of the study.
        progress: receives progress and messages.
        earlier: headline of an earlier result in `out`, whose replacement is announced to the user; "" without an
            earlier result.
        runs: the folder of all runs, which studies with the same transfer task may share; None for `out/runs`.

    Raises:
        BadInput: the tasks, the model, a setting or the disk cannot be used, a run of a stage failed, or another
            process is working in the folder.
    """
    require_stages(tasks, settings)
    began, runs = time.perf_counter(), out / "runs" if runs is None else runs
    encoder = initial_encoder(settings)
    require_fit(settings, encoder)
    for task in tasks:
        require_entities(encoder, task)
    planned = chains(tasks, settings, encoder, runs)
    with alone_in(runs, waits=False):
        announce_replaced(out, planned[0].target.spec.folder, progress, earlier)
        made = [run_chain(chain, progress) for chain in planned]
        target = made[0].target
        experiment, best = target.spec.load(), best_run(target.results)
        save_best_model(experiment, best, target.spec.folder, out / "model")
    seconds = time.perf_counter() - began
    results = StudyResults(experiment, target.point, (), target.results, best, seconds)
    return staged_record(results, made, out)


def run_chain(chain: Chain, progress: Progress) -> Chain:
    """Make the runs of all stages of staged transfer or of a control; finished runs are loaded from disk.

    Args:
        chain: the chain of stages, without results.
        progress: receives progress and messages.

    Returns:
        A copy of the chain, with the results of every stage.

    Raises:
        BadInput: a run failed in a stage from which a later stage starts.
    """
    made = []
    for number, stage in enumerate(chain.stages, 1):
        doing = f"{chain.name}: stage {number} of {len(chain.stages)}, {stage.task.name}"
        with worker_pool(stage.spec, num_processes(stage.spec.settings, 1), progress.note) as executor:
            results = make_restarts(executor, stage.spec, stage.point, progress, doing)
        for result in results if number < len(chain.stages) else ():
            require_ended(result, stage.task)
        made.append(replace(stage, results=tuple(results)))
    return Chain(chain.name, tuple(made))
