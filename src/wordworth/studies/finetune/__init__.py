"""Fine-tuning as a study: several seeds, settings chosen on held-out training data, and the best model saved.

task, settings ─► data split ─► grid search ─► restarts in a pool of processes ─► best model ─► report ─► Record
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.progress import SILENT, Progress
from wordworth.record_names import renamed
from wordworth.settings_validation import split_settings
from wordworth.studies.report_folder import ReportFolder
from wordworth.text.raw_file import check_file

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.tasks.task import Task

__all__ = ["finetune"]

_SOURCE = ("folder", "held_out", "learn_from")
"""The options of a named task."""


def finetune(
    task: str | Task | None = None,
    *,
    data: Path | str | None = None,
    out: Path | str,
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - the fields of two settings classes
) -> Record:
    """Fine-tune an encoder on a task and measure it; the same call resumes a study that was stopped.

    Args:
        task: a named task (`cola`, `squad2`, `conll2003`, ...), or a `Task`.
        data: instead of a task, a file of labelled text: CSV, TSV, JSON Lines, Parquet or CoNLL.
        out: a folder for record.json, report.html, `model` (loadable by transformers), and `runs`, from which stopped
            runs resume.
        progress: receives progress and messages.
        choices: any field of `FinetuneSettings` (model, recipe, restarts, learning_rate, ...) and, with `data`, of
            `ReadSettings` (text, label, kind, test, ...); with a named task `learn_from`, `held_out` and `folder` of
            `tasks.datasets.named_task`.

    Returns:
        A record of kind `finetune`.

    Raises:
        BadInput: the task, the file or a setting cannot be used; the message says what, where and how to mend it.

    >>> record = finetune("cola", model="minilm", out="run")  # doctest: +SKIP
    >>> record.verdict, record.table("scores")  # doctest: +SKIP
    """
    from wordworth.tasks import task_types
    from wordworth.tasks.reading.settings import ReadSettings
    from wordworth.training.finetuning.settings import FORMER_SETTINGS, FinetuneSettings, require_kind, require_known

    choices = renamed(choices, FORMER_SETTINGS)
    chosen, reading, source = split_settings(choices, FinetuneSettings, ReadSettings, others=_SOURCE)
    of_files = reading.keys() - chosen.keys()
    if data is None and of_files:
        what = f"{min(of_files).replace('_', '-')} goes with a file of your own"
        raise BadInput(what, mend="leave it out, or give your file with --data in place of the task")
    settings, folder = FinetuneSettings(**chosen), Path(out)
    _require_source(task, data, source, settings.dev_file)
    require_known(settings)
    if data is not None and "kind" in reading:
        require_kind(settings, task_types.get(reading["kind"]), Path(data).name)
    report = ReportFolder.of(folder, "finetune")
    from wordworth.studies.finetune.study import study  # which loads torch

    read = _task(task, data, ReadSettings(**reading), source, settings.dev_file)
    return report.write(study(read, settings, folder, progress, report.earlier))


def _require_source(task: str | Task | None, data: Path | str | None, source: dict[str, Any], dev: str | None) -> None:
    """Refuse both a task and a file, neither of them, or a missing file, before anything is read."""
    if (task is None) == (data is None):
        raise BadInput("give a named task or --data with a file, one of the two", mend="see --help")
    if source and not isinstance(task, str):
        raise BadInput(f"{min(source)} goes with a named task", mend="leave it out, or name a task")
    if data is None and dev is not None:
        what = f"a dev file ({dev}) goes with a file of your own"
        raise BadInput(what, where="--dev", mend="give a share of the training part, or your file with --data")
    for path in (data, dev):
        if path is not None:
            check_file(Path(path))


def _task(
    task: str | Task | None,
    data: Path | str | None,
    reading: Any,  # noqa: ANN401 - ReadSettings
    source: dict[str, Any],
    dev: str | None,
) -> Task:
    from wordworth.tasks import task_types
    from wordworth.tasks.datasets import named_task
    from wordworth.tasks.reading.custom_qa import read_own_questions
    from wordworth.tasks.reading.read_task import read_task

    task_type = None if reading.kind is None else task_types.get(reading.kind)
    if data is not None and task_type is not None and not task_type.in_ladder:
        return read_own_questions(data, reading.kind, reading, dev)
    if data is not None:
        return read_task(data, reading, dev)
    return named_task(task, **source) if isinstance(task, str) else task  # type: ignore[return-value]  # one of the two is there
