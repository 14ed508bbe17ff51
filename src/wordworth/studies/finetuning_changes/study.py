"""The study `finetuning`: what fine-tuning changed (Kovaleva et al. 2019; Hao et al. 2019), as a `Record`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.finetuning_changes.findings import (
    landscape_findings,
    method,
    mixed,
    verdict,
    warnings,
    words_finding,
)
from wordworth.studies.finetuning_changes.read_models import read_models
from wordworth.studies.finetuning_changes.results import compute
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.studies.finetuning_changes.tables import tables_of
from wordworth.studies.finetuning_changes.time_forecast import forecast
from wordworth.studies.study import Study, file_name, make_record
from wordworth.studies.study_progress import WholeProgress
from wordworth.studies.study_result_cache import FinishedParts

_PATHS = ("second_run", "scratch_run", "other_task")


def study(
    settings: FinetuningChangesSettings, progress: Progress, *, run: Path | str, data: Path | str | None = None
) -> Record:
    """Read the models, measure what fine-tuning changed, and make the record.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        run: the output folder of a fine-tuning.
        data: labelled rows that the model did not learn from; None for the rows that the run kept.

    Raises:
        BadInput: there is no fine-tuned transformer in `run`, the model that it started from is not on this machine, or
            another run or `data` does not fit it.
    """
    models = read_models(run, None if data is None else Path(data), settings)
    with progress.step("measuring this machine"):
        whole = WholeProgress(progress, STUDY.kind, forecast(models, settings.points))
    finished = FinishedParts.of(STUDY.kind, whole, models.key, settings.seed)
    finished.call = (settings.points,)
    whole.announce(finished.seconds_kept())
    seconds: dict[str, float] = {}
    with finished.timed(seconds, "finetuning"):
        results = compute(models, settings, finished)
    tables = tables_of(results, settings.draws, settings.seed)
    task = models.unseen
    rows = {"unseen": len(task.used)} | ({} if models.learned is None else {"learned": len(models.learned.used)})
    facts = {
        **task.facts,
        "run": Path(run).resolve().name,
        "start": file_name(models.base.name),
        "rows": rows,
        "second": models.second is not None,
        "score": results.score,
        "second_change": None if results.second is None else results.second.value,
    }
    return make_record(
        STUDY.kind,
        asdict(settings) | {name: file_name(getattr(settings, name)) for name in _PATHS},
        facts,
        tables=tables,
        findings=[
            verdict(results, tables, facts),
            words_finding(results),
            *landscape_findings(results, tables),
            *warnings(models, task, rows["unseen"]),
            *method(results, models, rows),
            mixed(results),
        ],
        seconds=seconds,
    )


STUDY = Study(
    "finetuning",
    "Find out what fine-tuning changed in a model.",
    FinetuningChangesSettings,
    study,
    inputs={"run": "the folder of a fine-tuning"},
)
