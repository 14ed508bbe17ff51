"""The study `senses`: does a model separate the senses of a word, and what makes a word's occurrences differ?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.progress import SILENT, Progress

if TYPE_CHECKING:
    from wordworth.records import Record

__all__ = ["senses"]


def senses(
    *,
    out: Path | str | None = None,
    progress: Progress = SILENT,
    **settings: Any,  # noqa: ANN401 - the fields of SensesSettings
) -> Record:
    """Predict word senses by the nearest centroid, and whether a pair has one sense by a threshold on cosines.

    Args:
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.
        **settings: fields of `SensesSettings` (models, data, pooling, ...).

    Returns:
        A record of kind `senses`, whose tables `scores` and `pairs` have a row for each model, set and layer, with
        intervals, and rows for baselines that need no vectors.

    Raises:
        BadInput: a model or a set cannot be read, or no tested word has two senses to choose from.
    """
    from wordworth.studies.senses.study import STUDY

    return STUDY(out=out, progress=progress, **settings)
