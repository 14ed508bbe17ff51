"""`tokenizer`: train a tokenizer on a corpus (the command `wordworth tokenizer`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from wordworth.progress import SILENT, Progress
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.text.corpus.read_documents import CorpusOrTable, CorpusSettings, as_corpora
from wordworth.text.corpus.split_by_language import split_by_language
from wordworth.text.corpus.txt_layouts import Layout
from wordworth.text.subwords.pre_tokenization import Algorithm
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import TrainedTokenizer


@documented_by(TokenizerSettings, CorpusSettings)
def tokenizer(  # noqa: PLR0913 - the settings, each by its name
    corpus: CorpusOrTable,
    *,
    out: Path | str,
    algorithm: Algorithm = "wordpiece",
    size: int = 16_000,
    lowercase: bool | None = None,
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
    """Train a tokenizer on a corpus and write its folder; the same corpus gives the same bytes.

    Args:
        corpus: folders or files of text: .txt, .jsonl or .parquet, also compressed; or a table in memory with a column
            of texts.
        out: the folder to write.
        lowercase: whether texts are read in lower case and without accents; by default True for WordPiece, as in BERT,
            and False for the other algorithms.
        exact: whether to raise an error if the vocabulary cannot have exactly `size` pieces.
        text: column of the texts in files that have columns, and in a table.
        layout: how a .txt file is split into documents.
        progress: progress display, advanced by the number of characters.

    Returns:
        The tokenizer, with counts of the words, pieces and unknown words of its corpus.

    Raises:
        BadInput: the corpus cannot be read or holds no text; `exact` is True and the vocabulary cannot have exactly
            `size` pieces; or `out` holds a model or another tokenizer, or cannot be written.

    >>> tokenizer("corpus/", out="tok/", size=8_000)  # doctest: +SKIP
    """
    arguments = dict(locals())
    from wordworth.subprocesses import available_cpus
    from wordworth.text.subwords.train import train_tokenizer

    reading = settings_from({**arguments, "processes": available_cpus()}, CorpusSettings)
    settings = settings_from({**arguments, "corpus": reading}, TokenizerSettings)
    with as_corpora(corpus) as paths:
        if language_column is None:
            return train_tokenizer(paths, out, settings, progress)
        with TemporaryDirectory() as folder:
            parts = split_by_language(paths, language_column, text, Path(folder))
            trained = train_tokenizer(parts, out, replace(settings, corpus=replace(reading, text="text")), progress)
        return replace(trained, corpora=tuple(each._replace(name=Path(each.name).stem) for each in trained.corpora))
