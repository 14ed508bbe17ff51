"""The study `evaluate`: the official scores of anyone's predictions for a named task, each with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wordworth.records import Record
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.studies.evaluate.study import GLUE, study, study_glue

__all__ = ["EvaluateSettings", "evaluate"]


def evaluate(task: str, predictions: Path | str, **settings: Any) -> Record:  # noqa: ANN401 - as EvaluateSettings
    """Score predictions for a part of a named task by its official scorer.

    Args:
        task: a named task, or `glue` for a folder with a file for each of its tasks.
        predictions: the file (SQuAD's JSON; a table with a column `prediction`; a file of tags), or that folder.
        **settings: fields of `EvaluateSettings`.

    Returns:
        A record of kind `evaluate`: `tables["scores"]` has a row a metric.

    Raises:
        BadInput: no such task, its data are not on this machine, or the predictions do not fit it.
    """
    chosen = EvaluateSettings(**settings)
    return study_glue(Path(predictions), chosen) if task == GLUE else study(task, Path(predictions), chosen)
