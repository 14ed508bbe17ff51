"""The study `senses`: does a model tell the senses of a word apart, and what makes its occurrences differ?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.progress import SILENT, Progress
from wordworth.studies.report_folder import ReportFolder

if TYPE_CHECKING:
    from wordworth.records import Record

__all__ = ["senses"]


def senses(
    *,
    out: Path | str | None = None,
    progress: Progress = SILENT,
    **settings: Any,  # noqa: ANN401 - the fields of SensesSettings
) -> Record:
    """Tell word senses by the nearest centroid, and pairs by a threshold, as a `Record` of kind `senses`.

    Args:
        out: a folder for record.json and report.html; nothing is written where not given.
        progress: whom to tell.
        **settings: fields of `SensesSettings` (models, data, pooling, ...).

    Returns:
        A record whose tables `scores` and `pairs` have a row for each model, set and layer, with intervals and with
        what needs no vectors beside them.

    Raises:
        BadInput: a model or a set cannot be read, or there is nothing to be told.
    """
    from wordworth.studies.senses.settings import SensesSettings
    from wordworth.studies.senses.study import study

    chosen = SensesSettings(**settings)
    folder = ReportFolder.of(out, "senses")
    return folder.write(study(chosen, progress))
