"""The distilled rung: a table with one vector per word, made by a contextual encoder from the training texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.static.distillation.export import Distilled
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.subword_tables import read_model2vec
from wordworth.models.static_embeddings import StaticTable
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.representations.static import Static
from wordworth.seeds import child
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Kind, Rows, Task
from wordworth.text.tokenizer import Tokenizer

SETTINGS = DistilSettings(method="mean", layer=-1, least=3, occurrences=100, sif=None)
"""The table replaces the mean of the last layer over a text: so vectors are means too, without weights."""
MOST_CHARACTERS = 1_500_000
"""Characters of the training texts that are read at most: about a quarter of a million words."""


@dataclass(frozen=True, slots=True)
class DistilledRung(Rung):
    """The table that `to-static` makes from an encoder and the training texts, under a head; without labels.

    The folds of a choice are judged by tables that have not read their held-out texts (`LeaveOutTable`).

    Args:
        model: a catalogue name, a folder or a cached hub name.
        head: above it.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "static"

    @property
    def name(self) -> str:
        """`minilm-static`."""
        return f"{short_name(self.model)}-static"

    @property
    def title(self) -> str:
        """`MiniLM as a table`."""
        return f"{display_name(self.model)} as a table"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the encoder, make the table and pool it over every text.

        Raises:
            BadInput: no encoder of that name is on this machine, its files are damaged, it has no vocabulary, or the
                training texts are too few.
            MissingExtra: torch is not installed.
        """
        from wordworth.models.static.distillation.distill import distil, tokenizer_of

        encoder = load_encoder(self.model)
        key, alone = vectors_key(encoder, "representations"), [np.zeros((0, encoder.model.width), np.float32)]

        def keep(what: str, make: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
            alone.append(run_context.cache.array(content_key(key, what), make))
            return alone[-1]

        texts, read = list(training_texts(task, run_context.seed)), Occurrences()
        made = distil(encoder, lambda: (text for _, text in texts), SETTINGS, run_context.progress, keep, read)
        with TemporaryDirectory() as folder:  # the table is judged as it would be shipped, rounding included
            made.save(folder)
            table = read_model2vec(Path(folder), self.name)
        static = Static(table, self.name, self.title, told=made.told)
        spare = spelled_alone(made, tokenizer_of(encoder), alone[-1])
        leave_out = LeaveOutTable.of(table, made, read, np.array([row for row, _ in texts]), spare)
        learner = RepresentationRung(static, self.head).open(task, run_context)
        return replace(learner, without=lambda rows: replace(static, table=leave_out.without(rows)))


def training_texts(task: Task, seed: int) -> Iterator[tuple[int, str]]:
    """Yield rows of the training part with their texts, both of a pair, in random order up to `MOST_CHARACTERS`."""
    left = MOST_CHARACTERS
    for row in child(seed, "distil").permutation(task.train).tolist():
        for side in (task.examples.first, task.examples.second):
            if side is not None and left > 0:
                left -= len(side[row])
                yield row, side[row]


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
    from wordworth.models.static.distillation.distill import spelled

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
