"""The study `words`: what static tables know of single words, by the field's word benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.studies.words.settings import WordsSettings
from wordworth.studies.words.study import study

__all__ = ["WordsSettings", "words"]


def words(
    models: str | Path | Sequence[str | Path],
    *,
    progress: Progress = SILENT,
    **settings: Any,  # noqa: ANN401 - as WordsSettings
) -> Record:
    """Score static tables on word benchmarks, missing words treated both ways.

    Args:
        models: static tables: catalogue names, folders or files.
        progress: where to report.
        **settings: fields of `WordsSettings`.

    Returns:
        A record of kind `words`: `tables["scores"]` has a row for each table, set, metric and policy.

    Raises:
        BadInput: a name is no static table, or the sets are not on this machine.
    """
    given = [models] if isinstance(models, str | Path) else list(models)
    return study([str(model) for model in given], WordsSettings(**settings), progress)
