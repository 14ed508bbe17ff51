"""Load the tasks that `--then` names, named tasks or files of a user's own, and guess the kind of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from wordworth.errors import BadInput
from wordworth.studies.finetune.stage_checks import language_model_head_error
from wordworth.tasks.formats.data_folders import LEARN_FROM
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.tasks.usual_columns import OPTIONS, usual_column
from wordworth.text.read_compressed_file import check_file, read_raw

Stage: TypeAlias = str | Path | Task
"""A named task, a file, or a task."""
Stages: TypeAlias = Stage | Sequence[Stage]


def as_stages(then: object) -> tuple[Stage, ...]:
    """Return the stages that the option `--then` names, as a tuple, after checking that their files exist.

    Args:
        then: a stage or several.

    Raises:
        BadInput: a stage is neither a name, nor a file, nor a task, or its file is missing.
    """
    stages = (then,) if isinstance(then, str | Path | Task) else then
    if not isinstance(stages, Sequence) or not all(isinstance(stage, str | Path | Task) for stage in stages):
        what = f"{stages!r:.60} is neither a named task, nor a file, nor a task"
        raise BadInput(what, where="--then", mend="give one of these, or a list of them")
    for stage in stages:
        if not isinstance(stage, Task) and _is_file(stage):
            check_file(Path(stage))
    return tuple(stages)


def read_stage(stage: Stage, folder: Path | str | None, seed: int) -> Task:
    """Return the task of a stage.

    A file with a column of options is read as multiple choice, a file of contexts, questions and answers as question
    answering, and any other file as `wordworth worth` reads it. A part of the rows of a file is the test part.

    Args:
        stage: a named task, a file, or a task.
        folder: the folder of the files of named tasks; None for the usual ones.
        seed: seed of the split of a file.

    Raises:
        BadInput: there is no such task, or the file cannot be used.
    """
    from wordworth.tasks.reading.question_files import read_own_questions
    from wordworth.tasks.reading.read_task import read_task

    if isinstance(stage, Task):
        return stage
    if not _is_file(stage):
        return _named(str(stage), folder)
    reading = ReadSettings(seed=seed)
    kind = question_kind(stage)
    return read_task(stage, reading) if kind is None else read_own_questions(stage, kind, reading)


def refuse_pronouns(stages: Iterable[object]) -> None:
    """Check, before any file is read, that no stage is a named task of pronoun resolution.

    Args:
        stages: the stages; only names are looked at.

    Raises:
        BadInput: a stage is a named task of pronoun resolution, or its name is unknown.
    """
    from wordworth.tasks import task_types
    from wordworth.tasks.datasets import find_dataset_spec

    for stage in stages:
        if isinstance(stage, str) and not _is_file(stage) and task_types.get(find_dataset_spec(stage).kind).fills_masks:
            raise language_model_head_error(stage)


def _is_file(stage: str | Path) -> bool:
    return isinstance(stage, Path) or bool(Path(stage).suffix) or Path(stage).is_file()


def _named(name: str, folder: Path | str | None) -> Task:
    """Return a named task; the error for missing files does not advise --learn-from, which later stages cannot use."""
    from wordworth.tasks.datasets import named_task

    try:
        return named_task(name, folder=folder)
    except BadInput as error:
        raise BadInput(error.what, where=error.where or "--then", mend=error.mend.removesuffix(LEARN_FROM)) from error


def question_kind(path: str | Path) -> str | None:
    """Return `multiple_choice` or `question_answering` if a file has such a task; None for a file of labelled texts.

    The kind is recognised by the file's format and columns.

    Args:
        path: the file.

    Raises:
        BadInput: the file cannot be read.
    """
    from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
    from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING
    from wordworth.text.file_formats.read import read_table

    stored = read_raw(path)
    if stored.suffix == ".json":
        return QUESTION_ANSWERING.name
    if stored.suffix == ".conll":
        return None
    columns = read_table(stored).columns
    if usual_column(columns, OPTIONS) is not None:
        return MULTIPLE_CHOICE.name
    return QUESTION_ANSWERING.name if {"context", "question", "answers"} <= set(columns) else None
