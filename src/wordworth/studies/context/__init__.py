"""The study `context`: how contextual a model's vectors are, layer by layer (Ethayarajh 2019, with its nulls)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.progress import SILENT, Progress

if TYPE_CHECKING:
    from wordworth.records import Record

__all__ = ["context"]


def context(
    data: Path | str,
    *,
    out: Path | str | None = None,
    progress: Progress = SILENT,
    **settings: Any,  # noqa: ANN401 - the fields of ContextSettings
) -> Record:
    """Measure how contextual the vectors of models are, layer by layer.

    Args:
        data: sentences: a .txt with one sentence per line, a file with a column of texts, or `sts` for SemEval STS 2012
            to 2016 in the folder named by the environment variable WORDWORTH_DATA.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.
        **settings: fields of `ContextSettings` (models, units, pooling, ...).

    Returns:
        A record of kind `context`, whose table `layers` has a row for each model, layer and measure, with its interval
        and its null.

    Raises:
        BadInput: a model or the sentences cannot be read, or too few words occur in enough sentences.
    """
    from wordworth.studies.context.study import STUDY

    return STUDY(data=data, out=out, progress=progress, **settings)
