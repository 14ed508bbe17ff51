"""Token stores for corpora as users name them: files and folders of text, or finished stores."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.documents import CorpusSettings, corpus_files
from wordworth.text.corpus.store import META, TokenStore, build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.text_format import count_of


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """How text becomes tokens: a tokenizer's folder (not needed for stores) and how files are read."""

    tokenizer: Path | None
    reading: CorpusSettings


def stores_of(
    corpora: Sequence[Path], source: CorpusSource, folder: Path, progress: Progress = SILENT
) -> tuple[Path, ...]:
    """Return the folder of each corpus' token store: itself if it is one, else one built in `folder` from its text.

    Args:
        corpora: files or folders of text, or stores.
        source: how text becomes tokens.
        folder: where stores are built; they stay there and are not built again.
        progress: shows the building.

    Raises:
        BadInput: a corpus is missing or holds no text, or there is text and no tokenizer.
    """
    return tuple(
        _store(corpus, source, folder / f"{number}-{corpus.name}", progress) for number, corpus in enumerate(corpora)
    )


def require_text(corpora: Sequence[Path]) -> None:
    """Check before any work that every corpus is there, and only once.

    Raises:
        BadInput: one is missing, a folder without text, or given twice (trained on twice, or both trained on and held
            out).
    """
    paths = [corpus.resolve() for corpus in corpora]
    for corpus in corpora:
        if paths.count(corpus.resolve()) > 1:
            raise BadInput("this corpus is given twice", where=str(corpus), mend="give it once")
        if not (corpus / META).is_file():
            corpus_files(corpus)


def _store(corpus: Path, source: CorpusSource, folder: Path, progress: Progress) -> Path:
    if (corpus / META).is_file():
        return corpus
    if source.tokenizer is None:
        mend = "give --tokenizer; `wordworth tokenizer` makes one of a corpus"
        raise BadInput("text cannot be read without a tokenizer", where=str(corpus), mend=mend)
    tokenizer = Tokenizer.read(source.tokenizer)
    try:
        store = build_store(corpus, tokenizer, folder, source.reading, progress)
    except BadInput as error:
        if not isinstance(error.__cause__, OSError):  # once mended it is another corpus, of which nothing is built yet
            shutil.rmtree(folder, ignore_errors=True)
        raise
    progress.note(_summary(corpus, store))
    return folder


def _summary(corpus: Path, store: TokenStore) -> str:
    counts = store.counts
    dropped = f", {counts['duplicates']:,} duplicates dropped" if counts.get("duplicates") else ""
    return f"{corpus}: {count_of(counts['documents'], 'document')}, {count_of(counts['tokens'], 'token')}{dropped}"
