"""The study `evaluate`: the scores of anyone's predictions for a named task or a file, each with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.records import Record
from wordworth.studies.evaluate.custom_task import study_own
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.studies.evaluate.study import GLUE, study, study_glue
from wordworth.tasks.datasets import names

__all__ = ["EvaluateSettings", "evaluate"]


def evaluate(task: Path | str, predictions: Path | str | None = None, **settings: Any) -> Record:  # noqa: ANN401 - as EvaluateSettings
    """Score predictions for a part of a named task by its official scorer, or for labels of one's own.

    Args:
        task: a named task, `glue` for a folder with a file for each of its tasks, or a file with labels.
        predictions: the file (SQuAD's JSON; a table with a column `prediction`; a file of tags), or that folder; None
            where a file with labels holds the predictions too.
        **settings: fields of `EvaluateSettings`.

    Returns:
        A record of kind `evaluate`: `tables["scores"]` has a row a metric.

    Raises:
        BadInput: no such task or file, its data are not on this machine, or the predictions do not fit it.
    """
    chosen = EvaluateSettings(**settings)
    if isinstance(task, Path) or (task not in (GLUE, *names()) and Path(task).is_file()):
        return _of_own(Path(task), None if predictions is None else Path(predictions), chosen)
    _refuse_own(str(task), chosen)
    if predictions is None:
        what = f"no file of predictions for {task!r}, and no file of that name with labels and predictions"
        raise BadInput(what, mend="give a named task and a file of predictions, or a file that holds both")
    return study_glue(Path(predictions), chosen) if task == GLUE else study(str(task), Path(predictions), chosen)


_OF_OWN = ("gold", "prediction", "kind", "metric")
_OF_NAMED = ("data", "part", "na_probs")


def _of_own(labels: Path, predictions: Path | None, settings: EvaluateSettings) -> Record:
    for name in _OF_NAMED:
        if getattr(settings, name) is not None:
            raise BadInput("this goes with a named task", where=f"--{name.replace('_', '-')}", mend="leave it out")
    return study_own(labels, predictions, settings)


def _refuse_own(task: str, settings: EvaluateSettings) -> None:
    for name in _OF_OWN:
        if getattr(settings, name) is not None:
            what = f"this goes with a file of your own, and {task!r} is none"
            raise BadInput(what, where=f"--{name}", mend="leave it out, or check the path")
