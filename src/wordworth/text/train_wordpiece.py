"""Train a WordPiece vocabulary on a corpus, of exactly the requested size and the same at every run.

The `tokenizers` library trains it by merging the most frequent pair of pieces until there are enough (the rule of byte
pairs, by which every open WordPiece is trained). By default the library numbers the pieces of one character in an order
that changes from run to run, and breaks ties by that number; here they are numbered before training.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

from wordworth.errors import BadInput
from wordworth.files import as_path, require_writable, sweep_neighbours, write_text
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.documents import (
    Corpus,
    Document,
    DocumentReader,
    corpus_files,
    empty_corpus_error,
)
from wordworth.text.corpus.mixture import require_several, sampling_shares
from wordworth.text.corpus.tokenize_corpus import chunks, expected_characters
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer
from wordworth.text.wordpiece_settings import WordPieceSettings

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ALWAYS = frozenset(string.digits + string.ascii_letters + string.punctuation + "‘’“”–—…«»·•°§£€")
"""Characters that every vocabulary includes, whatever its corpus, since later texts will have them."""
_REPEATS = 1_000
_LONGEST = models.WordPiece().max_input_chars_per_word
"""Longest word in characters; the library reads longer ones as [UNK]."""

__all__ = ["TrainedTokenizer", "WordPieceSettings", "train_wordpiece"]

Words = Counter[str]


@dataclass(frozen=True, slots=True)
class TrainedTokenizer:
    """A trained tokenizer, with counts of how it reads its corpus.

    Attributes:
        tokenizer: the tokenizer.
        words: number of words and punctuation marks in the corpus.
        pieces: number of pieces that these are split into, [UNK] included.
        unknown: number of words that are read as [UNK].
        corpora: the same counts for each corpus; empty if there is only one.
    """

    tokenizer: Tokenizer
    words: int
    pieces: int
    unknown: int
    corpora: tuple[CorpusCounts, ...] = ()


class CorpusCounts(NamedTuple):
    """The path of a corpus, and its numbers of words, of pieces, and of words that are read as [UNK]."""

    name: str
    words: int
    pieces: int
    unknown: int


def train_wordpiece(
    corpus: Corpus, out: Path | str, settings: WordPieceSettings, progress: Progress = SILENT
) -> TrainedTokenizer:
    """Train a BERT tokenizer and write its folder (`vocab.txt`, `tokenizer.json`, `tokenizer_config.json`).

    The same corpus and settings give the same bytes. The special tokens are the first five pieces: [PAD] is 0.

    Args:
        corpus: a folder or files of text.
        out: the folder to write; it may already hold the same tokenizer.
        settings: size, casing and how the corpus is read.
        progress: is advanced by characters of text.

    Raises:
        BadInput: the corpus cannot be read, holds no text, or does not support this many pieces; `out` holds a model or
            another tokenizer, or cannot be written.
    """
    folder = as_path(out, "--out")
    require_writable(folder)
    if (folder / "config.json").exists():
        raise BadInput(
            "this folder holds a model with its own tokenizer", where=str(folder), mend="choose another --out"
        )
    existing = _existing_pieces(folder)
    if settings.exact and len(existing) not in {0, settings.size}:
        raise _other_tokenizer_here(folder, len(existing))
    corpora = [Path(path) for path in ([corpus] if isinstance(corpus, Path | str) else corpus)]
    require_several(settings.sampling, len(corpora))
    corpus_words = _count_words(corpora, settings, progress)
    vocabulary = _vocabulary(mixed_counts(list(corpus_words.values()), settings.sampling), settings)
    if existing and existing != vocabulary:
        raise _other_tokenizer_here(folder, len(existing))
    for name in ("vocab.txt", "tokenizer_config.json", "tokenizer.json"):
        sweep_neighbours(folder / name)
    write_text(folder / "vocab.txt", "".join(f"{piece}\n" for piece in vocabulary))
    tokenizer = Tokenizer.wordpiece(folder / "vocab.txt", lowercase=settings.lowercase)
    save_tokenizer(tokenizer, folder)
    return _report(tokenizer, corpus_words)


def _existing_pieces(folder: Path) -> list[str]:
    """Return the pieces of the tokenizer in a folder; none where there is no tokenizer.

    Raises:
        BadInput: it is not a WordPiece tokenizer written by this module.
    """
    if (folder / "vocab.txt").exists():
        return (folder / "vocab.txt").read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
    if (folder / "tokenizer.json").exists():
        raise BadInput("a tokenizer is here already", where=str(folder), mend="choose another --out")
    return []


def _other_tokenizer_here(folder: Path, pieces: int) -> BadInput:
    mend = "choose another --out, or delete it if nothing was made with it"
    return BadInput(f"another tokenizer, of {pieces:,} pieces, is here", where=str(folder), mend=mend)


def _count_words(corpora: Sequence[Path], settings: WordPieceSettings, progress: Progress) -> dict[str, Words]:
    """Count each word of every corpus that has any, after BERT's normalisation and splitting."""
    corpus_words, reader, splitter = dict[str, Words](), DocumentReader(settings.corpus), _Splitter(settings.lowercase)
    files = [corpus_files(corpus) for corpus in corpora]
    with progress.step("words", total=sum(map(expected_characters, files))) as bar:
        for corpus, own in zip(corpora, files, strict=True):
            words = Words()
            for chunk in chunks(reader.documents(own)):
                splitter.count(chunk, words)
                bar.advance(sum(len(document.text) for document in chunk))
            if not words and settings.sampling != 1:
                raise empty_corpus_error(own)
            if words:
                corpus_words[str(corpus)] = words
    if not corpus_words:
        raise empty_corpus_error([file for own in files for file in own])
    return corpus_words


def mixed_counts(corpus_words: Sequence[Words], exponent: float) -> Words:
    """Return the word counts of all corpora together, with the counts of large corpora scaled down.

    The totals of the corpora are in the ratio of `sampling_shares` of their sizes; no count is larger than the real
    one.

    Args:
        corpus_words: the word counts of each corpus.
        exponent: the exponent of the corpora's sizes.
    """
    sizes = [words.total() for words in corpus_words]
    weights = sampling_shares(sizes, exponent) / np.array(sizes)
    weights /= weights.max()
    sums = dict[str, float]()
    for words, weight in zip(corpus_words, weights.tolist(), strict=True):
        for word, number in words.items():
            sums[word] = sums.get(word, 0.0) + weight * number
    return Words({word: number for word, total in sums.items() if (number := round(total))})


class _Splitter:
    """Splits texts into BERT's words and counts them: words that are equally frequent are split in one call."""

    def __init__(self, lowercase: bool) -> None:  # noqa: FBT001 - the one choice there is
        self.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
        self.splitter = pre_tokenizers.BertPreTokenizer()

    def count(self, documents: Iterable[Document], words: Words) -> None:
        raw = Counter(word for document in documents for word in document.text.split())
        for number, group in groupby(sorted(raw.items(), key=_frequency), key=_frequency):
            text = self.normalizer.normalize_str(" ".join(word for word, _ in group))
            for word, count in Counter(word for word, _ in self.splitter.pre_tokenize_str(text)).items():
                words[word] += count * number


def _frequency(item: tuple[str, int]) -> int:
    return item[1]


def _vocabulary(words: Words, settings: WordPieceSettings) -> list[str]:
    """Return the pieces in the order of their ids."""
    always = {character.lower() for character in ALWAYS} if settings.lowercase else ALWAYS
    alphabet = _alphabet(words, settings.coverage) | always
    inside = sorted({character for word in words for character in word[1:]} & alphabet)
    single = [*SPECIAL, *(f"##{character}" for character in inside)]
    library = tokenizers.Tokenizer(models.WordPiece())
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=settings.size,
        min_frequency=settings.least,
        show_progress=False,
        special_tokens=single,
        limit_alphabet=len(alphabet),
        initial_alphabet=sorted(alphabet),
    )
    library.train_from_iterator(_lines(words, alphabet), trainer)
    vocabulary = library.get_vocab(with_added_tokens=False)
    if settings.exact and len(vocabulary) != settings.size:
        raise _unsupported(len(vocabulary), settings.size, len(single) + len(alphabet))
    return sorted(vocabulary, key=lambda piece: (piece not in SPECIAL, vocabulary[piece]))


def _unsupported(trained: int, size: int, least: int) -> BadInput:
    if trained > size:
        what = f"{size:,} pieces do not hold the {least:,} special tokens and single characters of this corpus"
        return BadInput(what, mend=f"give --size {least} or more")
    what = f"this corpus supports {trained:,} pieces, not {size:,}: no pair of pieces is frequent any more"
    return BadInput(what, mend=f"give --size {trained} or less, or more text")


def _alphabet(words: Words, coverage: float) -> set[str]:
    """Return the most frequent characters that together make up the share `coverage`; ties are broken by code point."""
    counts = Counter[str]()
    for word, number in words.items():
        for character in word:
            counts[character] += number
    left = sum(counts.values()) * coverage
    alphabet = set[str]()
    for character, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if left <= 0:
            break
        alphabet.add(character)
        left -= number
    return alphabet


def _lines(words: Words, alphabet: set[str]) -> Iterator[str]:
    """Yield the corpus again, word by word, each as often as it occurs, without the words that will be [UNK].

    Those are words that cannot be spelt and words too long to be read. Long ones are rarely language (keys, encoded
    pictures): one such line would fill the vocabulary with its fragments, and training time grows with its square.
    """
    for word, number in sorted(words.items()):
        if len(word) <= _LONGEST and alphabet.issuperset(word):
            for _ in range(number // _REPEATS):
                yield f"{word} " * _REPEATS
            yield f"{word} " * (number % _REPEATS)


def _report(tokenizer: Tokenizer, corpus_words: Mapping[str, Words]) -> TrainedTokenizer:
    corpora = tuple(_counts(tokenizer, name, words) for name, words in corpus_words.items())
    return TrainedTokenizer(
        tokenizer,
        sum(each.words for each in corpora),
        sum(each.pieces for each in corpora),
        sum(each.unknown for each in corpora),
        corpora if len(corpora) > 1 else (),
    )


def _counts(tokenizer: Tokenizer, name: str, words: Words) -> CorpusCounts:
    unknown = tokenizer.special_ids["unk"]
    pieces = missed = 0
    for (_, number), ids in zip(words.items(), tokenizer.literal().ids(list(words), special=False), strict=True):
        pieces += number * len(ids)
        missed += number * int((ids == unknown).any())
    return CorpusCounts(name, words.total(), pieces, missed)
