"""The study `neighbours`: the words of a corpus whose contextual vectors are nearest to a word in a sentence."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.neighbours.settings import NeighboursSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["neighbours"]


@documented_by(NeighboursSettings)
def neighbours(  # noqa: PLR0913 - the settings of the study, each by its name
    sentence: str,
    data: TableSource,
    *,
    model: str = "minilm",
    layer: int = -1,
    head: int | None = None,
    nearest: int = 20,
    text: str = "text",
    limit: int = 2_000,
    index: Path | str | None = None,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Find the words of a corpus whose contextual vectors are nearest to the vector of a word in a sentence.

        ww.study_neighbours("He sat by the [bank] of the river.", "texts.csv").tables["contexts"].rows()

    Args:
        sentence: a text with one word in square brackets.
        data: the corpus: a file or table with a column of texts, or a treebank in CoNLL-U, whose relations and
            syntactic heads are then compared too.
        text: column of the texts.
        index: a folder that caches the vectors of the corpus; an index of another model, corpus or layer is refused.
            None caches nothing.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `neighbours`. `tables["contexts"]` has a row for each of the nearest words. `tables["common"]`
        has a row for each property that several of these words share, such as being preceded by `the`. The row has the
        share of words with this property among the nearest words, among all words of the corpus, and among the nearest
        words by the input layer and by random weights.

    Raises:
        BadInput: the sentence has no bracketed word or several; the corpus cannot be read or is empty; the model is a
            static table; there is no such layer or head; `index` holds other files; or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.neighbours.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files
    from wordworth.text.tokens import encodable, require_texts

    [query] = require_texts([sentence])
    settings = settings_from(arguments, NeighboursSettings)
    with as_files(data) as (path,):
        return STUDY.answer(settings, out=out, progress=progress, sentence=encodable(query), data=Path(path))
