"""The study `senses`: how well a model's vectors separate the senses of a word, and why a word's vectors differ."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.word_vectors_by_layer import Pooling
from wordworth.text.file_formats.in_memory import ArrowTable, TableSource

__all__ = ["senses"]


@documented_by(SensesSettings)
def senses(  # noqa: PLR0913 - the settings of the study, each by its name
    *,
    models: str | Sequence[str] = ("minilm",),
    data: str | Path | ArrowTable | Sequence[TableSource] = (),
    pooling: Pooling = "mean",
    limit: int | None = None,
    occurrences: int = 10,
    words: int = 150,
    draws: int = 1_000,
    seed: int = 0,
    shown: int = 24,
    pool: int = 6_000,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Predict word senses by the nearest centroid, and whether two occurrences share a sense by a threshold on cosines.

    Args:
        data: `semcor`, `coarsewsd`, `wic`, your own file or table, or several of these; where none is given, the sets
            in the folder named by the environment variable WORDWORTH_DATA.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `senses`, whose tables `scores` and `pairs` have a row for each model, set and layer, with
        intervals, and rows for baselines that need no vectors.

    Raises:
        BadInput: a model or a set cannot be read, or no tested word has two senses to choose from.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.senses.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files, one_or_several

    with as_files(*one_or_several(data)) as sets:
        settings = settings_from({**arguments, "data": [str(each) for each in sets]}, SensesSettings)
        return STUDY.answer(settings, out=out, progress=progress)
