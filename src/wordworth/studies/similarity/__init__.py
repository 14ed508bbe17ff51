"""The study `similarity`: which words make two texts similar under an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.similarity.settings import SimilaritySettings
from wordworth.studies.word_vectors_by_layer import Units
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["similarity"]


@documented_by(SimilaritySettings)
def similarity(  # noqa: PLR0913 - the settings of the study, each by its name
    texts: Sequence[str] = (),
    *,
    model: str = "minilm",
    data: TableSource | None = None,
    text: str | None = None,
    text_b: str | None = None,
    query: str | None = None,
    top: int = 5,
    units: Units = "words",
    limit: int = 1_000,
    examples: int = 5,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Decompose the cosine of two texts into a table over pairs of their words, whose cells add up to the cosine.

        ww.study_similarity(["The film was great.", "A wonderful movie."]).tables["words"].rows()

    Args:
        texts: two texts to compare; none with `data`.
        model: an encoder: a name, a folder or a hub name. For an encoder with an activation or a bias after the pooling
            there are no cells, and a word is measured only by the drop of the cosine without it.
        data: a table of pairs of texts, or with `query` of texts: a file or a table in memory; None with `texts`.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `similarity`: `tables["cells"]` has a row for each pair of words, `tables["words"]` one for
        each word with its contribution and the drops of the cosine without it. For a table of pairs of texts,
        `tables["kinds"]` has the mean part of the cosine for each kind of word pairs, such as equal words.
        `tables["word_shares"]` has the words that contribute most to the cosines.

    Raises:
        BadInput: there are not two texts or one table, the model is a static table, or `out` cannot be
            written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.similarity.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files
    from wordworth.text.tokens import require_texts

    compared = require_texts(texts)
    with as_files(data) as (path,):
        settings = settings_from({**arguments, "data": None if path is None else Path(path)}, SimilaritySettings)
        return STUDY.answer(settings, out=out, progress=progress, texts=compared)
