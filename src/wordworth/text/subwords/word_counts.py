"""Count the words of each corpus and of a weighted mixture of corpora, and find the alphabet of the words."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.text.corpus.read_documents import Counts, Document, DocumentReader, corpus_files, empty_corpus_error
from wordworth.text.corpus.sampling_shares import sampling_shares
from wordworth.text.corpus.tokenize_corpus import chunks, expected_characters
from wordworth.text.subwords.pre_tokenization import Splitting
from wordworth.text.subwords.settings import TokenizerSettings

Words = Counter[str]
ALWAYS = frozenset(string.digits + string.ascii_letters + string.punctuation + "‘’“”–—…«»·•°§£€")
"""Characters that every vocabulary includes, whatever its corpus, since later texts will contain them."""
_REPEATS = 1_000


def count_words(
    corpora: Sequence[Path], settings: TokenizerSettings, splitting: Splitting, progress: Progress
) -> dict[str, Words]:
    """Count the words of each corpus, after normalisation and splitting.

    Corpora without words are left out.

    Args:
        corpora: files or folders of text.
        settings: how text is read, and `sampling`, by which corpora are weighted.
        splitting: the normaliser and the splitter.
        progress: progress display, advanced by the number of characters.

    Returns:
        Path of each corpus -> its words with their counts.

    Raises:
        BadInput: a corpus cannot be read, no corpus has text, or `sampling` is set and a corpus has no text.
    """
    corpus_words, reader = dict[str, Words](), DocumentReader(settings.corpus)
    files = [corpus_files(corpus) for corpus in corpora]
    with progress.step("words", total=sum(map(expected_characters, files))) as bar:
        for corpus, own in zip(corpora, files, strict=True):
            words = Words()
            if settings.sampling != 1:
                reader.counts = Counts()  # each corpus by itself has to have text
            for chunk in chunks(reader.documents(own)):
                _count(chunk, splitting, words)
                bar.advance(sum(len(document.text) for document in chunk))
            if not words and settings.sampling != 1:
                raise empty_corpus_error(own, reader)
            if words:
                corpus_words[str(corpus)] = words
    if not corpus_words:
        raise empty_corpus_error([file for own in files for file in own], reader)
    return corpus_words


def mixed_counts(corpus_words: Sequence[Words], exponent: float) -> Words:
    """Return the word counts of all corpora together, with the counts of large corpora scaled down.

    After scaling, the total counts of the corpora are in the ratio of their `sampling_shares`. Counts are never scaled
    up.

    Args:
        corpus_words: the word counts of each corpus.
        exponent: the exponent of `sampling_shares`.
    """
    sizes = [words.total() for words in corpus_words]
    weights = sampling_shares(sizes, exponent) / np.array(sizes)
    weights /= weights.max()
    sums = dict[str, float]()
    for words, weight in zip(corpus_words, weights.tolist(), strict=True):
        for word, number in words.items():
            sums[word] = sums.get(word, 0.0) + weight * number
    return Words({word: number for word, total in sums.items() if (number := round(total))})


def alphabet(words: Words, coverage: float) -> set[str]:
    """Return the most frequent characters of words that together make up a share of all characters.

    Equally frequent characters are ordered by code point.

    Args:
        words: the words with their counts.
        coverage: the share, more than 0 and at most 1.
    """
    counts = Counter[str]()
    for word, number in words.items():
        for character in word:
            counts[character] += number
    left = sum(counts.values()) * coverage
    frequent = set[str]()
    for character, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if left <= 0:
            break
        frequent.add(character)
        left -= number
    return frequent


def repeated_words(words: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Yield lines of text that repeat each word as often as it was counted, for trainers that only read text.

    Args:
        words: (word, count).
    """
    for word, number in words:
        for _ in range(number // _REPEATS):
            yield f"{word} " * _REPEATS
        yield f"{word} " * (number % _REPEATS)


def require_size(trained: int, size: int, least: int) -> None:
    """Check that a vocabulary has the requested size.

    Args:
        trained: number of pieces of the trained vocabulary.
        size: the requested number of pieces.
        least: number of special tokens and single characters (or bytes), which every vocabulary holds.

    Raises:
        BadInput: `trained` is not `size`: the corpus supports fewer pieces, or `least` is larger than `size`.
    """
    if least > size:
        what = f"{size:,} pieces do not hold the {least:,} special tokens and single characters of this corpus"
        raise BadInput(what, mend=f"give --size {least} or more")
    if trained != size:
        what = f"this corpus supports {trained:,} pieces, not {size:,}: no pair of pieces is frequent any more"
        raise BadInput(what, mend=f"give --size {trained} or less, or more text")


def _count(documents: Iterable[Document], splitting: Splitting, words: Words) -> None:
    """Add the words of documents to the counts `words`; equally frequent words are split in one call."""
    raw = Counter(word for document in documents for word in document.text.split())
    for number, group in groupby(sorted(raw.items(), key=_frequency), key=_frequency):
        text = " " + " ".join(word for word, _ in group)
        text = text if splitting.normalizer is None else splitting.normalizer.normalize_str(text)
        for word, count in Counter(word for word, _ in splitting.splitter.pre_tokenize_str(text)).items():
            words[word] += count * number


def _frequency(item: tuple[str, int]) -> int:
    return item[1]
