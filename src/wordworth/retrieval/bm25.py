"""BM25 over the words of an index (Robertson and Zaragoza 2009), as Lucene computes it.

A segment holds for each word the rows that have it and how often. A row's score is the sum over the query's words of

    ln(1 + (N - n + 0.5) / (n + 0.5)) * f / (f + k1 * (1 - b + b * l / L))

where N is the number of rows, n the number of rows with the word, f the word's occurrences in the row, l the number of
words in the row and L the mean number of words of a row. Words are runs of letters, digits and _, in lower case.
Deleted rows count in N, n and L, as they do in Lucene, until the index is built anew.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.retrieval.exact_search import Nearest
from wordworth.retrieval.stored_vectors import mapped_array

K1, B = 1.2, 0.75
_WORD = re.compile(r"\w+")
_MOST = 2**16 - 1
_KEYS, _STARTS, _ROWS, _COUNTS, _LENGTHS = (
    f"word_{name}.npy" for name in ("keys", "starts", "rows", "counts", "lengths")
)


def words_of(text: str) -> list[str]:
    """Return the words of a text, that is, its runs of letters, digits and _, in lower case.

    >>> words_of("Reset MY pass-word!")
    ['reset', 'my', 'pass', 'word']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Postings:
    """The inverted index of a segment (rows that were added together): for each word the rows with it, and how often.

    The entries of word i are `rows[starts[i]:starts[i + 1]]` and the same slice of `counts`.

    Attributes:
        keys: a hash of each word, ascending, uint64 [words].
        starts: index of each word's first entry in `rows` and `counts`; the last item is the number of entries, int64
            [words + 1].
        rows: for each entry, a row that has the word, counted from 0 within the segment, uint32 [entries].
        counts: for each entry, the occurrences of the word in that row, at most 65,535, uint16 [entries].
        lengths: number of words of each row, uint32 [rows].
    """

    keys: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    lengths: NDArray[np.uint32]

    @classmethod
    def open(cls, folder: Path) -> Postings:
        """Memory-map the inverted index in the folder of a segment (rows of an index that were added together).

        Raises:
            BadInput: a file is missing or damaged.
        """
        return cls(*(mapped_array(folder / name, 1) for name in (_KEYS, _STARTS, _ROWS, _COUNTS, _LENGTHS)))

    def of_word(self, word: str) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Return the rows that have a word, uint32 [n], and the word's number of occurrences in each, uint16 [n].

        Rows are counted from 0 within the segment. Both arrays are empty if no row has the word.
        """
        key = _key(word)
        position = int(np.searchsorted(self.keys, key))
        is_known = position < len(self.keys) and self.keys[position] == key
        part = slice(self.starts[position], self.starts[position + 1]) if is_known else slice(0)
        return self.rows[part], self.counts[part]


def write_postings(folder: Path, texts: Iterable[str]) -> None:
    """Write the inverted index of texts that are added to an index together.

    Memory grows by about 6 bytes for each distinct word of each text.

    Args:
        folder: the folder to write into.
        texts: the texts, one a row.
    """
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    words, counts, lengths, distinct = array("I"), array("H"), array("I"), array("I")
    for text in texts:
        counted = Counter(words_of(text))
        words.extend(numbers[word] for word in counted)
        counts.extend(min(count, _MOST) for count in counted.values())
        lengths.append(counted.total())
        distinct.append(len(counted))
    keys = np.fromiter(map(_key, numbers), np.uint64, len(numbers))
    by_key = np.argsort(keys)
    position = np.empty(len(keys), np.uint32)
    position[by_key] = np.arange(len(keys), dtype=np.uint32)
    positions = position[np.frombuffer(words, np.uint32)] if len(words) else np.zeros(0, np.uint32)
    order = np.argsort(positions, kind="stable")
    rows = np.repeat(np.arange(len(lengths), dtype=np.uint32), np.array(distinct, np.int64))
    np.save(folder / _KEYS, keys[by_key])
    np.save(folder / _STARTS, np.concatenate([[0], np.cumsum(np.bincount(positions, minlength=len(keys)))]))
    np.save(folder / _ROWS, rows[order])
    np.save(folder / _COUNTS, np.array(counts, np.uint16)[order])
    np.save(folder / _LENGTHS, np.array(lengths, np.uint32))


def best_rows(segments: Sequence[Postings], query: str, k: int, passing: Flags | None = None) -> Nearest:
    """Return the rows with the largest BM25 scores, the best first, among rows with at least one word of the query.

    Args:
        segments: the inverted index of each segment (rows that were added together); rows are numbered through all
            segments in order.
        query: a text.
        k: largest number of rows to return.
        passing: mask of the rows that may be returned, bool [rows]; None for all.
    """
    values = scores(segments, query)
    if passing is not None:
        values[~passing] = 0
    rows = np.flatnonzero(values)
    if len(rows) > k:
        rows = rows[values[rows] >= np.partition(values[rows], len(rows) - k)[len(rows) - k]]
    order = rows[np.argsort(-values[rows], kind="stable")[:k]]
    return Nearest(order, values[order])


def scores(segments: Sequence[Postings], query: str, k1: float = K1, b: float = B) -> Floats:
    """Return the BM25 score of every row, float64 [rows]; it is 0 for a row without a word of the query.

    Args:
        segments: the inverted index of each segment (rows that were added together); rows are numbered through all
            segments in order.
        query: a text.
        k1: saturation of the number of occurrences: the smaller it is, the less a second occurrence adds.
        b: strength of the normalisation by length, from 0 (none) to 1 (full).
    """
    number = sum(len(segment.lengths) for segment in segments)
    average = sum(int(segment.lengths.sum(dtype=np.int64)) for segment in segments) / max(1, number)
    values = np.zeros(number)
    for word, times in Counter(words_of(query)).items():
        occurrences = [segment.of_word(word) for segment in segments]
        containing = sum(len(rows) for rows, _ in occurrences)
        weight = times * np.log1p((number - containing + 0.5) / (containing + 0.5))
        start = 0
        for segment, (rows, counts) in zip(segments, occurrences, strict=True):
            frequency = counts.astype(np.float64)
            length = k1 * (1 - b + b * segment.lengths[rows] / average)
            values[start + rows.astype(np.int64)] += weight * frequency / (frequency + length)
            start += len(segment.lengths)
    return values


def _key(word: str) -> np.uint64:
    """Return a hash of 64 bits of a word: among a million words two have equal hashes with probability 3e-8."""
    return np.uint64(int.from_bytes(blake2b(word.encode(errors="surrogatepass"), digest_size=8).digest(), "little"))
