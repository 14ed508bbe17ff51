"""The study `evaluate`: score given predictions for a named task or a file of labels, each score with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import flag_of, settings_from
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["EvaluateSettings", "evaluate"]


@documented_by(EvaluateSettings)
def evaluate(  # noqa: PLR0913 - the settings of the study, each by its name
    task: TableSource,
    predictions: TableSource | None = None,
    *,
    data: Path | str | None = None,
    part: str | None = None,
    na_probs: Path | str | None = None,
    na_threshold: float | None = None,
    gold: str | None = None,
    prediction: str | None = None,
    kind: str | None = None,
    metric: str | None = None,
    draws: int = 1_000,
    seed: int = 0,
) -> Record:
    """Score predictions for a split of a named task with its official scorer, or for labels of your own.

    Args:
        task: a named task, `glue` for a folder with a file for each of its tasks, or a file, table or list of labels.
        predictions: the predictions: a file (SQuAD's JSON; a table with a column `prediction`; a file of tags), a table
            or list in memory, or for `glue` the folder of such files; None if the file of labels holds the predictions
            too.
        gold: for your own labels: the column of the labels, guessed if not given.
        prediction: for your own labels: the column of the predictions, guessed if not given.
        kind: for your own labels: the kind of task, inferred from the labels if not given.
        metric: for your own labels: accuracy, macro_f1, f1:CLASS, spearman, ...; if not given, the usual metrics of the
            kind of task.

    Returns:
        A record of kind `evaluate`: `tables["scores"]` has one row per metric.

    Raises:
        BadInput: the task or file does not exist, the task's data are not on this machine, or the predictions do not
            match the labels.
    """
    columns: dict[str, object] = {"gold": gold, "prediction": prediction}
    for name, column in columns.items():
        if not isinstance(column, str | None):
            what = f"{name} is of type {type(column).__name__}, but names a column"
            raise BadInput(what, mend="give labels and predictions as the first two arguments")
    chosen = settings_from(locals(), EvaluateSettings)
    from wordworth.text.file_formats.in_memory import as_files

    task, predictions = _as_column(task, "label"), _as_column(predictions, "prediction")
    with as_files(task, predictions, names=["the table", "the table of predictions"]) as (labels, predicted):
        return _evaluate(labels, None if predicted is None else as_path(predicted, "predictions"), chosen)


def _as_column(source: Any, name: str) -> Any:  # noqa: ANN401 - whatever a caller gives
    """Return a list, a series or an array of labels as a table of one column; any other source as it is."""
    is_series = len(getattr(source, "shape", ())) == 1
    if is_series or (isinstance(source, list) and not any(isinstance(item, Mapping) for item in source)):
        return {name: list(source)}
    return source


def _evaluate(task: Path | str, predictions: Path | None, chosen: EvaluateSettings) -> Record:
    from wordworth.studies.evaluate.study import GLUE, study, study_glue
    from wordworth.tasks.datasets import names

    path = as_path(task, "task")
    if isinstance(task, Path) or (task not in (GLUE, *names()) and path.is_file()):
        return _evaluate_custom(path, predictions, chosen)
    _refuse_custom_options(task, chosen)
    if predictions is None:
        what = f"no file of predictions was given for {task!r}, and there is no file of that name"
        raise BadInput(what, mend="give a named task and a file of predictions, or a file that holds both")
    return study_glue(predictions, chosen) if task == GLUE else study(task, predictions, chosen)


_CUSTOM_OPTIONS = ("gold", "prediction", "kind", "metric")
_NAMED_TASK_OPTIONS = ("data", "part", "na_probs")


def _evaluate_custom(labels: Path, predictions: Path | None, settings: EvaluateSettings) -> Record:
    for name in _NAMED_TASK_OPTIONS:
        if getattr(settings, name) is not None:
            what = "this option is only for named tasks"
            raise BadInput(what, where=flag_of(name), mend="leave it out")
    from wordworth.studies.evaluate.custom_task import study_custom

    return study_custom(labels, predictions, settings)


def _refuse_custom_options(task: str, settings: EvaluateSettings) -> None:
    for name in _CUSTOM_OPTIONS:
        if getattr(settings, name) is not None:
            what = f"this option is only for a file of your own, and {task!r} is not a file"
            raise BadInput(what, where=f"--{name}", mend="leave it out, or check the path")
