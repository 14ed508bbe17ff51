"""Train a tokenizer on a corpus and write its folder; the same corpus always gives the same tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wordworth.errors import BadInput
from wordworth.files import as_path, require_writable, sweep_neighbours, write_text
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.read_documents import Corpus
from wordworth.text.corpus.sampling_shares import require_several
from wordworth.text.subwords.byte_level import train_byte_level
from wordworth.text.subwords.pre_tokenization import Algorithm, splitting
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.unigram import train_unigram
from wordworth.text.subwords.word_counts import Words, count_words, mixed_counts
from wordworth.text.subwords.wordpiece import train_wordpiece
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import LoadedTokenizer, save_tokenizer

_TRAINERS: Mapping[Algorithm, Callable[[Words, TokenizerSettings, Progress], LoadedTokenizer]] = {
    "wordpiece": train_wordpiece,
    "byte-level": train_byte_level,
    "unigram": train_unigram,
}


@dataclass(frozen=True, slots=True)
class TrainedTokenizer:
    """A trained tokenizer, with counts of how it reads its corpus.

    Attributes:
        tokenizer: the tokenizer.
        words: number of words and punctuation marks in the corpus.
        pieces: number of pieces into which the words are split, [UNK] included.
        unknown: number of words that are read as [UNK], or have an [UNK] among their pieces.
        corpora: the same counts for each corpus; empty if there is only one.
    """

    tokenizer: Tokenizer
    words: int
    pieces: int
    unknown: int
    corpora: tuple[CorpusCounts, ...] = ()


class CorpusCounts(NamedTuple):
    """Counts of how a tokenizer splits one of several corpora.

    Attributes:
        name: the path of the corpus.
        words: number of words and punctuation marks.
        pieces: number of pieces into which the words are split.
        unknown: number of words with an [UNK] among their pieces.
    """

    name: str
    words: int
    pieces: int
    unknown: int


def train_tokenizer(
    corpus: Corpus, out: Path | str, settings: TokenizerSettings, progress: Progress = SILENT
) -> TrainedTokenizer:
    """Train a tokenizer and write its folder: `tokenizer.json`, `tokenizer_config.json`, for WordPiece `vocab.txt` too.

    The same corpus and settings give the same bytes. The special tokens are the first five pieces: [PAD] is 0.

    Args:
        corpus: a folder or files of text.
        out: the folder to write; it may already hold the same tokenizer.
        settings: algorithm, size, casing and how the corpus is read.
        progress: progress display, advanced by characters of text, then by rounds of training.

    Raises:
        BadInput: the corpus cannot be read or holds no text; `settings.exact` is True and the vocabulary cannot have
            exactly `settings.size` pieces; or `out` holds a model or another tokenizer, or cannot be written.
    """
    folder = as_path(out, "--out")
    require_writable(folder)
    if (folder / "config.json").exists():
        raise BadInput(
            "this folder holds a model with its own tokenizer", where=str(folder), mend="choose another --out"
        )
    existing = _existing_pieces(folder, settings.algorithm)
    if settings.exact and len(existing) not in {0, settings.size}:
        raise _other_tokenizer_here(folder, len(existing))
    corpora = [Path(path) for path in ([corpus] if isinstance(corpus, Path | str) else corpus)]
    require_several(settings.sampling, len(corpora))
    steps = splitting(settings.algorithm, lowercase=settings.uncased)
    corpus_words = count_words(corpora, settings, steps, progress)
    words = mixed_counts(list(corpus_words.values()), settings.sampling)
    opened = _TRAINERS[settings.algorithm](words, settings, progress)
    tokenizer = Tokenizer(opened)
    pieces = list(tokenizer.vocabulary)
    if existing and (existing != pieces or not _reads_like(folder, tokenizer)):
        raise _other_tokenizer_here(folder, len(existing))
    for name in ("vocab.txt", "tokenizer_config.json", "tokenizer.json"):
        sweep_neighbours(folder / name)
    if settings.algorithm == "wordpiece":
        write_text(folder / "vocab.txt", "".join(f"{piece}\n" for piece in pieces))
    save_tokenizer(tokenizer, folder)
    return _report(tokenizer, opened, corpus_words)


def _existing_pieces(folder: Path, algorithm: Algorithm) -> list[str]:
    """Return the pieces of the tokenizer in a folder; an empty list if there is no tokenizer.

    Raises:
        BadInput: the tokenizer was not written by this module.
    """
    if (folder / "vocab.txt").exists():
        return (folder / "vocab.txt").read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
    if not (folder / "tokenizer.json").exists():
        return []
    if algorithm == "wordpiece":
        raise BadInput("a tokenizer is here already", where=str(folder), mend="choose another --out")
    return list(Tokenizer.read(folder).vocabulary)


def _reads_like(folder: Path, tokenizer: Tokenizer) -> bool:
    """Return whether the tokenizer in a folder equals `tokenizer`; True if the folder's was not written whole."""
    return not (folder / "tokenizer.json").exists() or Tokenizer.read(folder).fingerprint == tokenizer.fingerprint


def _other_tokenizer_here(folder: Path, pieces: int) -> BadInput:
    mend = "choose another --out, or delete it if nothing was made with it"
    return BadInput(f"another tokenizer, of {pieces:,} pieces, is here", where=str(folder), mend=mend)


def _report(tokenizer: Tokenizer, opened: LoadedTokenizer, corpus_words: Mapping[str, Words]) -> TrainedTokenizer:
    corpora = tuple(_counts(opened, name, words) for name, words in corpus_words.items())
    return TrainedTokenizer(
        tokenizer,
        sum(each.words for each in corpora),
        sum(each.pieces for each in corpora),
        sum(each.unknown for each in corpora),
        corpora if len(corpora) > 1 else (),
    )


def _counts(opened: LoadedTokenizer, name: str, words: Words) -> CorpusCounts:
    model, unknown = opened.library.model, opened.special_tokens["unk"]
    pieces = missed = 0
    for word, number in words.items():
        spelt = [token.value for token in model.tokenize(word)]
        pieces += number * len(spelt)
        missed += number * (unknown in spelt)
    return CorpusCounts(name, words.total(), pieces, missed)
