"""A distilled table as if some texts had not been read, so that a fold is judged by a table that never read it.

The encoder reads the training texts once. Each text's contribution to a word's vector is kept, and is subtracted from
the word's mean when the text is held out; a word with too few occurrences left gets the vector of its spelling. The
table's words, and the axes of its vectors, stay as they are: `tests/representations/test_distilled.py` compares scores
with those of new tables.
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
    """Occurrences as they were read, as an `OccurrenceSink`; states are stored as float16, as in the table."""

    entries: list[NDArray[np.int64]] = field(default_factory=list)
    texts: list[NDArray[np.int64]] = field(default_factory=list)
    states: list[NDArray[np.float16]] = field(default_factory=list)

    def __call__(self, entries: NDArray[np.int64], texts: NDArray[np.int64], states: Vectors) -> None:
        """Append occurrences."""
        self.entries.append(entries)
        self.texts.append(texts)
        self.states.append(states.astype(np.float16))


@dataclass(frozen=True, slots=True)
class LeaveOutTable:
    """A table of means, with the occurrences that they are means of.

    Attributes:
        table: of all texts.
        least: occurrences that a word needs for a mean.
        words: int64 [occurrences], the table row that each belongs to.
        items: int64 [occurrences], the row of the task that each is in.
        states: float16 [occurrences, width], along the table's axes.
        spare: float32 [words, width], the vector of each word when it has too few occurrences.
    """

    table: StaticTable
    least: int
    words: NDArray[np.int64]
    items: Rows
    states: NDArray[np.float16]
    spare: Vectors

    @classmethod
    def of(cls, table: StaticTable, made: Distilled, read: Occurrences, rows: Rows, spare: Vectors) -> LeaveOutTable:
        """Make the table from the results of a distillation.

        Args:
            table: of all texts, as it was saved.
            made: the distilled table with its settings and axes.
            read: the occurrences that were read for it.
            rows: the task's row of each text.
            spare: as `spelled_alone` returns it.
        """
        return cls(
            table,
            made.settings.least,
            np.concatenate([np.zeros(0, np.int64), *read.entries]) + 1,  # row 0 is the unknown token's
            rows[np.concatenate([np.zeros(0, np.int64), *read.texts])],
            np.concatenate([_to_table_axes(made, states).astype(np.float16) for states in read.states]),
            _to_table_axes(made, spare),
        )

    def without(self, items: Rows) -> StaticTable:
        """Return the table without the contributions of the texts of `items`, rows of the task."""
        removed = np.flatnonzero(np.isin(self.items, items))
        touched, index = np.unique(self.words[removed], return_inverse=True)
        every, fewer = (np.bincount(words, minlength=len(self.table)) for words in (self.words, self.words[removed]))
        counts, left = every[touched, None], (every - fewer)[touched, None]
        shape = len(touched), len(removed)
        by_word = csr_matrix((np.ones(len(removed), np.float32), (index, np.arange(len(removed)))), shape)
        vectors = np.array(self.table.vectors, dtype=np.float32)
        rest = vectors[touched] * counts - by_word @ self.states[removed].astype(np.float32)
        vectors[touched] = np.where(left < self.least, self.spare[touched - 1], rest / np.maximum(left, 1))
        return replace(self.table, vectors=vectors)


def spelled_alone(made: Distilled, tokenizer: Tokenizer, alone: Vectors) -> Vectors:
    """Return float32 [words, d]: for each word with occurrences the mean of its subwords, read alone.

    Args:
        made: the table.
        tokenizer: of the encoder.
        alone: states of the subwords that can spell text, in the tokenizer's order; empty if it has none.
    """
    positions = {index: position for position, index in enumerate(spelled(tokenizer).values())} if len(alone) else {}
    means = np.zeros((made.told.words, alone.shape[1]), np.float32)
    words = list(made.entries[: made.told.words])
    for row, ids in enumerate(tokenizer.ids(words, special=False)):
        known = [positions[index] for index in ids.tolist() if index in positions]
        if known:
            means[row] = alone[known].mean(0)
    return means


def _to_table_axes(made: Distilled, states: NDArray[np.floating]) -> Vectors:
    """Project states onto the table's axes."""
    wide = states.astype(np.float32)
    return made.axes(wide).astype(np.float32) if made.axes else wide
