"""The study `words`: static word embeddings scored on the field's word benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.measures.words.analogies import Method
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.word_benchmarks.settings import Candidates, WordsSettings

__all__ = ["words"]


@documented_by(WordsSettings)
def words(  # noqa: PLR0913 - the settings of the study, each by its name
    models: str | Path | Sequence[str | Path],
    *,
    sets: str | Sequence[str] = ("all",),
    data: Path | str | None = None,
    candidates: Candidates = "table",
    most: int = 300_000,
    method: Method = "add",
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Score static tables of word vectors on word benchmarks.

    Items with words that a table lacks are scored in three ways, called policies: with the table's mean vector in place
    of a missing word, without these items, and on the items that all tables know.

    Args:
        models: static tables of word vectors: catalogue names, folders or files.
        data: folder of the benchmarks; where None, `wordsets` in the folder named by WORDWORTH_DATA.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `words`: `tables["scores"]` has a row for each table, benchmark, metric and policy.

    Raises:
        BadInput: a name is not a static table, the benchmarks are not on this machine, or `out` cannot be written or
            holds the record of another study.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.word_benchmarks.study import STUDY

    names = [models] if isinstance(models, str | Path) else models
    settings = settings_from(arguments, WordsSettings)
    return STUDY.answer(settings, out=out, progress=progress, models=[str(model) for model in names])
