"""The study `words`: static word embeddings scored on the field's word benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.measures.words.analogies import Method
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.studies.word_benchmarks.settings import Candidates

__all__ = ["words"]


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
    """Score static tables on word benchmarks, under each policy for missing words.

    Args:
        models: static tables: catalogue names, folders or files.
        sets: word sets, kinds of sets (similarity, analogy, category, relation), or all.
        data: folder of the word sets; where None, `wordsets` in the folder named by WORDWORTH_DATA.
        candidates: candidate answers of analogies: words of the table or of the sets.
        most: most words to use of each table, the first ones.
        method: method for analogies: 3CosAdd or 3CosMul.
        draws: bootstrap resamples per interval.
        seed: random seed of the resampling and of k-means.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `words`: `tables["scores"]` has a row for each table, benchmark, metric and policy.

    Raises:
        BadInput: a name is not a static table, the benchmarks are not on this machine,
            or `out` cannot be written or holds something else.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.word_benchmarks.settings import WordsSettings
    from wordworth.studies.word_benchmarks.study import STUDY

    names = [models] if isinstance(models, str | Path) else models
    settings = settings_from(arguments, WordsSettings)
    return STUDY.answer(settings, out=out, progress=progress, models=[str(model) for model in names])
