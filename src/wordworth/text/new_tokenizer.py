"""`tokenizer`: a tokenizer of one's own, from a corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from wordworth.progress import SILENT, Progress
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.text.corpus.by_language import split_by_language
from wordworth.text.corpus.documents import CorpusOrTable, CorpusSettings, as_corpora
from wordworth.text.corpus.txt_layouts import Layout
from wordworth.text.train_wordpiece import TrainedTokenizer
from wordworth.text.wordpiece_settings import WordPieceSettings


@documented_by(WordPieceSettings, CorpusSettings)
def tokenizer(  # noqa: PLR0913 - the settings, each by its name
    corpus: CorpusOrTable,
    *,
    out: Path | str,
    size: int = 16_000,
    lowercase: bool = True,
    exact: bool = True,
    coverage: float = 0.99995,
    least: int = 2,
    sampling: float = 1.0,
    language_column: str | None = None,
    text: str = "text",
    layout: Layout = "auto",
    leave_out: Path | str | None = None,
    progress: Progress = SILENT,
) -> TrainedTokenizer:
    """Train a WordPiece tokenizer on a corpus and write its folder; the same corpus gives the same bytes.

    Args:
        corpus: folders or files of text: .txt, .jsonl or .parquet, also compressed; or a table in memory with a column
            of texts. `sampling` weighs them by their words.
        out: the folder to write.
        lowercase: whether texts are read in lower case and without accents.
        exact: whether another size is refused (the corpus supports fewer pieces, or has more characters).
        text: column of the texts in files that have columns, and in a table.
        layout: how a .txt file is split into documents.
        progress: is advanced by characters of text.

    Returns:
        The tokenizer, and how well it reads its corpus.

    Raises:
        BadInput: the corpus cannot be read, holds no text, or does not support this many pieces; `out` holds a model or
            another tokenizer, or cannot be written.

    >>> tokenizer("corpus/", out="tok/", size=8_000)  # doctest: +SKIP
    """
    arguments = dict(locals())
    from wordworth.subprocesses import available_cpus
    from wordworth.text.train_wordpiece import train_wordpiece

    reading = settings_from({**arguments, "processes": available_cpus()}, CorpusSettings)
    settings = settings_from({**arguments, "corpus": reading}, WordPieceSettings)
    with as_corpora(corpus) as paths:
        if language_column is None:
            return train_wordpiece(paths, out, settings, progress)
        with TemporaryDirectory() as folder:
            parts = split_by_language(paths, language_column, text, Path(folder))
            trained = train_wordpiece(parts, out, replace(settings, corpus=replace(reading, text="text")), progress)
        return replace(trained, corpora=tuple(each._replace(name=Path(each.name).stem) for each in trained.corpora))
