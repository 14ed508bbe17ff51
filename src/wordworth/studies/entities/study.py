"""The study `entities` from end to end: read rows and models, fine-tune every system, make the `Record`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import no_empty_folders
from wordworth.folder_lock import alone_in
from wordworth.measures.metrics import metric
from wordworth.models.entity_fusion.config import EntityBertConfig
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.sources import short_name
from wordworth.studies.entities.comparison import differences, load_models, train_systems
from wordworth.studies.entities.findings import findings
from wordworth.studies.entities.settings import EntitiesSettings
from wordworth.studies.entities.systems import entities_of, exchanged, link_counts, texts_of
from wordworth.studies.entities.tables import tables_of
from wordworth.studies.report_folder import ReportFolder
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.task import Task
from wordworth.training.finetuning.check_linked_entities import require_entities

_MACHINE = frozenset({"device", "processes"})


def study(settings: EntitiesSettings, progress: Progress, *, data: Path | str, target: Path) -> Record:
    """Fine-tune a model with the links of the texts, with exchanged entities and without, and compare them.

    Args:
        settings: the settings of the study.
        progress: receives progress and messages.
        data: labelled rows with links in their texts.
        target: the folder to write.

    Raises:
        BadInput: the rows link to fewer than two entities; the task is not about texts or pairs; a model does not fuse
            entities or lacks an entity of the rows; or another process is at work in the folder.
    """
    seconds = dict[str, float]()
    task = read_task(data, settings.read)
    every = [text for texts in texts_of(task) for text in texts]
    exchanged(entities_of(every), settings.seed)  # refused before anything takes long
    encoders = load_models(settings)
    for name, encoder in encoders.items():
        if not isinstance(encoder.model.config, EntityBertConfig):
            raise BadInput(f"{name!r} fuses no entities", mend="make such a model with `wordworth kg fuse`")
        require_entities(encoder, task)
    files = [Path(origin.path) for origin in task.origins]
    ReportFolder(target).note_replaced(_settings(settings), progress, files)
    runs = target / "runs"
    with no_empty_folders(target, runs), alone_in(runs, waits=False), timed(seconds, "fine-tuning"):
        systems = train_systems(settings, encoders, task, runs, progress)
    compared, counts = differences(systems, task, settings), link_counts(task)
    facts = _facts(task, settings)
    return make_record(
        STUDY.kind,
        _settings(settings),
        facts,
        tables=tables_of(systems, compared, counts),
        findings=[*findings(systems, compared, counts, facts, task), *task.warnings],
        seconds=seconds,
    )


STUDY = Study(
    "entities",
    "Measure what the vectors of linked entities add to a model on labelled texts.",
    EntitiesSettings,
    study,
    inputs={"data": "labelled rows with links in their texts", "target": "the folder to write"},
)


def _settings(settings: EntitiesSettings) -> dict[str, Any]:
    chosen = {name: value for name, value in asdict(settings).items() if name not in _MACHINE}
    test = settings.test if isinstance(settings.test, float | None) else file_name(settings.test)
    control = None if settings.control is None else short_name(settings.control)
    return {**chosen, "model": short_name(settings.model), "control": control, "test": test}


def _facts(task: Task, settings: EntitiesSettings) -> dict[str, Any]:
    return {
        **task.facts,
        "metric_title": metric(task.metric, task.classes).title,
        "model": short_name(settings.model),
        "train": len(task.train),
        "test": len(task.test),
    }
