"""`WordVectors`: the unit vectors of a static table's words, with a mean vector in place of missing words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.load import load
from wordworth.models.static.lookup import Words
from wordworth.models.static_embeddings import StaticTable

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """The unit vectors of a static table's words.

    Attributes:
        name: name of the table.
        vectors: float32 [words, width], unit vectors; for a table of subwords, the vectors of the benchmarks' words.
        rows: word -> index of its row in `vectors`.
        mean: float32 [width], the mean vector of the table scaled to length 1, which stands for a missing word.
        has_words: True for a table of words, False for a table of subwords, from which words' vectors are built.
        whole: True if `vectors` has all words of the table, False if only the words of the benchmarks.
        spelled: number of words whose vectors are built from several subwords.
    """

    name: str
    vectors: Vectors
    rows: dict[str, int]
    mean: Vectors
    has_words: bool
    whole: bool
    spelled: int = 0

    def find(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the index of each word's row in `vectors`, int64 [n]; -1 for a missing word.

        A word that is not found as written is looked up in lower case.
        """
        rows = [self.rows.get(word, self.rows.get(word.lower(), -1)) for word in words]
        return np.array(rows, dtype=np.int64)

    def lowered(self) -> frozenset[str]:
        """Return the words of the table in lower case."""
        return frozenset(word.lower() for word in self.rows)

    def rows_among(self, words: frozenset[str] | None) -> NDArray[np.int64]:
        """Return the indices of the rows whose word is in `words`, ignoring case, int64 [n]; all rows for None.

        Args:
            words: words in lower case, or None.
        """
        rows = [row for word, row in self.rows.items() if words is None or word.lower() in words]
        return np.array(rows, dtype=np.int64)

    def at(self, rows: NDArray[np.int64]) -> Vectors:
        """Return the unit vectors in the given rows, float32 [n, d]; row -1 stands for the mean vector of the table."""
        return np.where(rows[:, None] >= 0, self.vectors[np.maximum(rows, 0)], self.mean).astype(np.float32)


def open_vectors(source: str, needed: Sequence[str], most: int, *, whole: bool) -> WordVectors:
    """Load a static table as word vectors.

    Args:
        source: a catalogue name, a folder or a file.
        needed: the words of all benchmarks; unless `whole`, only their vectors are loaded.
        most: largest number of words that are used, from the beginning of the table, which has the frequent words; not
            used for a table of subwords.
        whole: whether to load all words of a table of words, as candidate answers of analogies.

    Raises:
        BadInput: the source is not a static table, or does not exist.
    """
    table = load(source, hash_whole=True)
    if not isinstance(table, StaticTable):
        mend = "distil a static table from it first: wordworth to-static"
        raise BadInput(f"{source!r} is a contextual encoder: its words have no vectors of their own", mend=mend)
    mean = table.gather(np.arange(len(table))).mean(axis=0)
    lexicon, spelled = table.lexicon, 0
    if isinstance(lexicon, Words):
        known = {word: row for word, row in lexicon.rows.items() if row < most}
        reached = [word for word in dict.fromkeys(needed) if word in known or word.lower() in known]
        kept = list(known) if whole else list(dict.fromkeys(w if w in known else w.lower() for w in reached))
        vectors = table.gather(np.array([known[word] for word in kept], dtype=np.int64))
    else:
        words = list(dict.fromkeys(needed))
        gathered, known_mask = table.word_vectors(words)
        kept = [word for word, is_known in zip(words, known_mask, strict=True) if is_known]
        vectors = gathered[known_mask]
        spelled = int((np.diff(lexicon.find_words(kept).starts) > 1).sum())
    rows = {word: row for row, word in enumerate(kept)}
    has_words = isinstance(lexicon, Words)
    return WordVectors(
        table.name, _units(vectors), rows, _units(mean[None])[0], has_words, whole and has_words, spelled
    )


def _units(vectors: Vectors) -> Vectors:
    return unit_or_zero(vectors).astype(np.float32)
