"""The study `finetune`: fine-tune with several seeds, choose settings on held-out data, and save the best model.

task, settings ─► data split ─► grid search ─► restarts in a pool of processes ─► best model ─► report ─► Record
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path, require_outside
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import flag_of, settings_from
from wordworth.sources import RUN_MODEL
from wordworth.studies.finetune.read_stages import Stages, as_stages, question_kind, read_stage, refuse_pronouns
from wordworth.studies.finetune.stage_checks import require_stage_settings, stage_settings
from wordworth.studies.report_folder import ReportFolder
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.text.file_formats.in_memory import TableSource
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.settings import FinetuneSettings, Grid, Recipe

__all__ = ["finetune"]

_SOURCE = ("folder", "held_out", "learn_from")
"""The options of a named task."""


@documented_by(ReadSettings, prefix="with `data`: ")
@documented_by(FinetuneSettings)
def finetune(  # noqa: PLR0913 - the settings of the study, each by its name
    task: str | Task | None = None,
    *,
    data: TableSource | None = None,
    learn_from: str | None = None,
    held_out: str | None = None,
    folder: Path | str | None = None,
    then: Stages = (),
    model: str = "minilm",
    recipe: Recipe = "modern",
    grid: Grid = "none",
    restarts: int = 5,
    learning_rate: float | None = None,
    batch_size: int | None = None,
    epochs: float | None = None,
    max_length: int | None = None,
    pooling: str | None = None,
    embeddings: bool = True,
    context: int | None = None,
    margin: float | None = None,
    options_only: bool = False,
    controls: bool = False,
    crf: bool = False,
    bilstm: bool = False,
    features: str | None = None,
    from_scratch: bool = False,
    keep_path: bool = False,
    dev: TableSource | float = 0.1,
    seed: int = 0,
    device: str = "auto",
    processes: int | None = None,
    threads: int = 1,
    save_every: float = 60.0,
    text: str | None = None,
    label: str | Sequence[str] | None = None,
    text_b: str | None = None,
    kind: str | None = None,
    group: str | None = None,
    time: str | None = None,
    second_label: str | None = None,
    test: TableSource | float | None = None,
    limit: int | None = None,
    skip_unusable: bool = False,
    format: str | None = None,  # noqa: A002 - as --format
    metric: str | None = None,
    test_share: float | None = None,
    out: Path | str,
    progress: Progress = SILENT,
) -> Record:
    """Fine-tune an encoder on a task with several seeds, and measure it; the same call resumes a stopped study.

    `help(ww.finetune)` describes all parameters.

    Args:
        task: a named task (`cola`, `squad2`, `conll2003`, ...), or a `Task`; None with `data`.
        data: instead of a task, labelled text: a CSV, TSV, JSON Lines, Parquet or CoNLL file, or a table in memory: of
            pandas, polars or pyarrow, a list of dicts, or (texts, labels).
        learn_from: with a named task: another one of the same kind to train on; None for the training part of `task`.
        held_out: with a named task: the part to test on, `dev` or `test`; None for dev, or for test if there is no dev
            part.
        folder: with a named task: the folder of its files; None for the folder named by WORDWORTH_DATA.
        then: staged transfer: tasks to learn after the first one, each run starting from the weights of the run with
            the same seed on the task before; named tasks, files or `Task`s, the target task last.
        embeddings: whether the embeddings are trained.
        dev: share of the training part held out to choose settings and the checkpoint to keep; with `data` also a file
            or table.
        test: with `data`: a file or table to test on, or a share of the rows such as 0.2; None for the usual share.
        out: a folder for record.json, report.html, `model`, and `runs`, from which stopped runs resume.
        progress: receives progress and messages.

    Returns:
        A record of kind `finetune`: `tables["scores"]` has each metric's mean over runs, `tables["runs"]` each run;
        with `then` also `tables["stages"]` (scores by stage) and `tables["controls"]` (gains over the controls).

    Raises:
        BadInput: the task, the data or a setting cannot be used; the message says what, where and how to mend it.

    >>> finetune("cola", model="minilm", out="run").verdict  # doctest: +SKIP
    """
    return _with_tables_as_files(dict(locals()))


def _with_tables_as_files(arguments: Mapping[str, Any]) -> Record:
    """Run `finetune` with these arguments, after writing tables in memory to temporary files."""
    from wordworth.text.file_formats.in_memory import as_file, as_files

    names = "the table", "the dev table", "the test table"
    tables = [arguments[name] for name in ("data", "dev", "test")]
    with as_files(*tables, names=names) as (path, dev_part, test_part):
        if path is not None and not isinstance(path, str | Path):
            with as_file(path):  # which refuses it
                pass
        values = {**arguments, "dev": dev_part, "test": test_part}
        return _finetune(values["task"], path, values, as_path(values["out"], "--out"), values["progress"])


def _finetune(
    task: str | Task | None, data: Path | str | None, arguments: Mapping[str, Any], out: Path, progress: Progress
) -> Record:
    from wordworth.tasks import task_types
    from wordworth.training.finetuning.settings import require_kind, require_known

    reading, settings = settings_from(arguments, ReadSettings), settings_from(arguments, FinetuneSettings)
    source = {name: arguments[name] for name in _SOURCE if arguments[name] is not None}
    if data is None:
        _refuse_options_of_files(reading, settings)
    _require_source(task, data, source, settings.dev_file)
    require_known(settings)
    stages = _stages(arguments["then"], settings)
    if stages:
        refuse_pronouns([task, *stages])
    reading = reading if data is None else _with_question_kind(data, reading)
    if data is not None and reading.kind is not None:
        task_type = task_types.get(reading.kind)
        require_kind(stage_settings(settings, task_type) if stages else settings, task_type, Path(data).name)
    require_outside(out if stages else out / RUN_MODEL, settings.model)
    report = ReportFolder.of(out, "finetune")
    read = _task(task, data, reading, source, settings.dev_file)
    if stages:
        from wordworth.studies.finetune.staged_study import staged_study  # which loads torch

        tasks = [read, *(read_stage(stage, source.get("folder"), settings.seed) for stage in stages)]
        return report.write(staged_study(tasks, settings, out, progress, report.earlier))
    from wordworth.studies.finetune.study import study  # which loads torch

    return report.write(study(read, settings, out, progress, report.earlier))


def _stages(then: object, settings: FinetuneSettings) -> tuple[str | Path | Task, ...]:
    """Return the tasks of `then` as a tuple, after checking the settings of stages.

    Raises:
        BadInput: `then` is not a task or several, controls are wanted without it, or a setting cannot be used for
            stages.
    """
    stages = as_stages(then)
    if settings.controls and not stages:
        raise BadInput(
            "controls compare a staged transfer", where="--controls", mend="name the target task with --then"
        )
    if stages:
        require_stage_settings(settings)
    return stages


def _with_question_kind(data: Path | str, reading: ReadSettings) -> ReadSettings:
    """Return `reading` with the kind of task set, if the columns of the file show that it has questions.

    If the user named a kind, a format or a column of texts, `reading` is returned unchanged.

    Raises:
        BadInput: the file cannot be read.
    """
    if (reading.kind, reading.format, reading.text) != (None, None, None):
        return reading
    return replace(reading, kind=question_kind(data))


def _refuse_options_of_files(reading: ReadSettings, settings: FinetuneSettings) -> None:
    """Check that no option is used that applies only to a file of the user's own; called if there is no such file.

    Raises:
        BadInput: such an option was used.
    """
    own = (field for field in fields(reading) if not hasattr(settings, field.name))
    used = sorted(field.name for field in own if getattr(reading, field.name) != field.default)
    if used:
        what = f"{flag_of(used[0])} goes with a file of your own"
        raise BadInput(what, mend="leave it out, or give your file with --data in place of the task")


def _require_source(task: str | Task | None, data: Path | str | None, source: dict[str, Any], dev: str | None) -> None:
    """Check, before anything is read, that there is either a task or a file, and that files exist.

    Raises:
        BadInput: there are both or neither, an option cannot be used with what is given, or a file is missing.
    """
    _require_no_table(task)
    if task is None and data is None:
        raise BadInput("nothing to learn from", mend="give a named task, or --data with a file of your own")
    if task is not None and data is not None:
        name = repr(task) if isinstance(task, str) else task.name
        mend = "leave one out; --folder says where the files of a named task are"
        raise BadInput(f"both the task {name} and --data with a file were given", mend=mend)
    if source and not isinstance(task, str):
        raise BadInput(f"{flag_of(min(source))} goes with a named task", mend="leave it out, or name a task")
    if data is None and dev is not None:
        what = f"a dev file ({dev}) goes with a file of your own"
        raise BadInput(what, where="--dev", mend="give a share of the training part, or your file with --data")
    for path in (data, dev):
        if path is not None:
            check_file(Path(path))


def _require_no_table(task: object) -> None:
    """Refuse a table or a file as `task`.

    Raises:
        BadInput: `task` is neither a name nor a `Task`.
    """
    from wordworth.tasks.task import Task

    is_file = isinstance(task, Path) or (isinstance(task, str) and (bool(Path(task).suffix) or Path(task).is_file()))
    if is_file or not isinstance(task, str | Task | None):
        what = repr(str(task)) if is_file else f"a {type(task).__name__}"
        raise BadInput(f"{what} is no named task", mend="give a file or a table as --data")


def _task(
    task: str | Task | None,
    data: Path | str | None,
    reading: ReadSettings,
    source: dict[str, Any],
    dev: str | None,
) -> Task:
    from wordworth.tasks import task_types
    from wordworth.tasks.datasets import named_task
    from wordworth.tasks.reading.question_files import read_own_questions
    from wordworth.tasks.reading.read_task import read_task

    task_type = None if reading.kind is None else task_types.get(reading.kind)
    if data is not None and task_type is not None and not task_type.in_ladder:
        return read_own_questions(data, task_type.name, reading, dev)
    if data is not None:
        return read_task(data, reading, dev)
    return named_task(task, **source) if isinstance(task, str) else task  # type: ignore[return-value]  # one of the two is there
