"""The study `words`: static word embeddings scored on the field's word benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.progress import SILENT, Progress

if TYPE_CHECKING:
    from wordworth.records import Record

__all__ = ["words"]


def words(
    models: str | Path | Sequence[str | Path],
    *,
    out: Path | str | None = None,
    progress: Progress = SILENT,
    **settings: Any,  # noqa: ANN401 - as WordsSettings
) -> Record:
    """Score static tables on word benchmarks, under each policy for missing words.

    Args:
        models: static tables: catalogue names, folders or files.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.
        **settings: fields of `WordsSettings`.

    Returns:
        A record of kind `words`: `tables["scores"]` has a row for each table, benchmark, metric and policy.

    Raises:
        BadInput: a name is not a static table, the benchmarks are not on this machine,
            or `out` cannot be written or holds something else.
    """
    from wordworth.studies.word_benchmarks.study import STUDY

    names = [models] if isinstance(models, str | Path) else models
    return STUDY(models=[str(model) for model in names], out=out, progress=progress, **settings)
