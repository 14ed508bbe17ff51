"""The study `evaluate`: the scores of anyone's predictions for a named task or a file, each with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.studies.evaluate.settings import EvaluateSettings

if TYPE_CHECKING:
    from wordworth.records import Record

__all__ = ["EvaluateSettings", "evaluate"]


def evaluate(task: Path | str, predictions: Path | str | None = None, **settings: Any) -> Record:  # noqa: ANN401 - as EvaluateSettings
    """Score predictions for a split of a named task with its official scorer, or for the labels of a user's own file.

    Args:
        task: a named task, `glue` for a folder with a file for each of its tasks, or a file with labels.
        predictions: the file of predictions (SQuAD's JSON; a table with a column `prediction`; a file of tags), or for
            `glue` the folder of such files; None where the file with labels holds the predictions too.
        **settings: fields of `EvaluateSettings`.

    Returns:
        A record of kind `evaluate`: `tables["scores"]` has one row per metric.

    Raises:
        BadInput: the task or file does not exist, its data are not on this machine, or the predictions do not match it.
    """
    from wordworth.studies.evaluate.study import GLUE, study, study_glue
    from wordworth.tasks.datasets import names

    chosen = EvaluateSettings(**settings)
    if isinstance(task, Path) or (task not in (GLUE, *names()) and Path(task).is_file()):
        return _evaluate_custom(Path(task), None if predictions is None else Path(predictions), chosen)
    _refuse_custom_options(str(task), chosen)
    if predictions is None:
        what = f"no file of predictions was given for {task!r}, and there is no file of that name"
        raise BadInput(what, mend="give a named task and a file of predictions, or a file that holds both")
    return study_glue(Path(predictions), chosen) if task == GLUE else study(str(task), Path(predictions), chosen)


_CUSTOM_OPTIONS = ("gold", "prediction", "kind", "metric")
_NAMED_TASK_OPTIONS = ("data", "part", "na_probs")


def _evaluate_custom(labels: Path, predictions: Path | None, settings: EvaluateSettings) -> Record:
    for name in _NAMED_TASK_OPTIONS:
        if getattr(settings, name) is not None:
            what = "this option is only for named tasks"
            raise BadInput(what, where=f"--{name.replace('_', '-')}", mend="leave it out")
    from wordworth.studies.evaluate.custom_task import study_custom

    return study_custom(labels, predictions, settings)


def _refuse_custom_options(task: str, settings: EvaluateSettings) -> None:
    for name in _CUSTOM_OPTIONS:
        if getattr(settings, name) is not None:
            what = f"this option is only for a file of your own, and {task!r} is not a file"
            raise BadInput(what, where=f"--{name}", mend="leave it out, or check the path")
