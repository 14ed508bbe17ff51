"""A distilled table as if some texts had not been read, so that a fold is judged by a table that never met it.

The encoder reads the training texts once. What each of them told of a word is kept, and is taken out of the word's mean
where the text is held out; a word with too few occurrences left is spelled. Which words the table has, and the axes of
its vectors, stay as they are: `tests/representations/test_distilled.py` compares scores with those of new tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.models.static.distillation.distill import spelled
from wordworth.models.static.distillation.export import Distilled
from wordworth.models.static_embeddings import StaticTable
from wordworth.tasks.task import Rows
from wordworth.text.tokenizer import Tokenizer

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Occurrences as they were read, as an `OccurrenceSink`; states are kept in half the room, as the table is."""

    entries: list[NDArray[np.int64]] = field(default_factory=list)
    texts: list[NDArray[np.int64]] = field(default_factory=list)
    states: list[NDArray[np.float16]] = field(default_factory=list)

    def __call__(self, entries: NDArray[np.int64], texts: NDArray[np.int64], states: Vectors) -> None:
        """Some more."""
        self.entries.append(entries)
        self.texts.append(texts)
        self.states.append(states.astype(np.float16))


@dataclass(frozen=True, slots=True)
class LeaveOutTable:
    """A table of means, and what they are means of.

    Attributes:
        table: of all texts.
        least: occurrences that a word needs for a mean.
        words: int64 [occurrences], the row of the table that each belongs to.
        items: int64 [occurrences], the row of the task that each stands in.
        states: float16 [occurrences, width], along the table's axes.
        spare: float32 [words, width], what stands for each word where it has too few occurrences.
    """

    table: StaticTable
    least: int
    words: NDArray[np.int64]
    items: Rows
    states: NDArray[np.float16]
    spare: Vectors

    @classmethod
    def of(cls, table: StaticTable, made: Distilled, read: Occurrences, rows: Rows, spare: Vectors) -> LeaveOutTable:
        """From a table that was made, what was read for it, the task's row of each text, and `spelled_alone`."""
        return cls(
            table,
            made.settings.least,
            np.concatenate([np.zeros(0, np.int64), *read.entries]) + 1,  # row 0 is the unknown token's
            rows[np.concatenate([np.zeros(0, np.int64), *read.texts])],
            np.concatenate([_turned(made, states).astype(np.float16) for states in read.states]),
            _turned(made, spare),
        )

    def without(self, items: Rows) -> StaticTable:
        """The table without what the texts of some rows of the task told it."""
        gone = np.flatnonzero(np.isin(self.items, items))
        touched, places = np.unique(self.words[gone], return_inverse=True)
        every, fewer = (np.bincount(some, minlength=len(self.table)) for some in (self.words, self.words[gone]))
        counts, left = every[touched, None], (every - fewer)[touched, None]
        shape = len(touched), len(gone)
        told = csr_matrix((np.ones(len(gone), np.float32), (places, np.arange(len(gone)))), shape)
        vectors = np.array(self.table.vectors, dtype=np.float32)
        rest = vectors[touched] * counts - told @ self.states[gone].astype(np.float32)
        vectors[touched] = np.where(left < self.least, self.spare[touched - 1], rest / np.maximum(left, 1))
        return replace(self.table, vectors=vectors)


def spelled_alone(made: Distilled, tokenizer: Tokenizer, alone: Vectors) -> Vectors:
    """float32 [words, d]: for each word of a table that has occurrences, the mean of its pieces, each read alone.

    Args:
        made: the table.
        tokenizer: of the encoder.
        alone: states of the pieces that text can be spelled in, in the tokenizer's order; none where it has none.
    """
    places = {index: place for place, index in enumerate(spelled(tokenizer).values())} if len(alone) else {}
    means = np.zeros((made.told.words, alone.shape[1]), np.float32)
    words = list(made.entries[: made.told.words])
    for row, ids in enumerate(tokenizer.ids(words, special=False)):
        found = [places[index] for index in ids.tolist() if index in places]
        if found:
            means[row] = alone[found].mean(0)
    return means


def _turned(made: Distilled, states: NDArray[np.floating]) -> Vectors:
    """States as vectors of the table."""
    wide = states.astype(np.float32)
    return made.axes(wide).astype(np.float32) if made.axes else wide
