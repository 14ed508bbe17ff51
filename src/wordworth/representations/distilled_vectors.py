"""The rung `minilm-static`: a table of one vector per word, distilled from an encoder on the training texts.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.static.distillation.distilled_table import Distilled
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.subword_tables import read_model2vec
from wordworth.models.static_embeddings import StaticTable, Vectors
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.representations.static_vectors import Static
from wordworth.seeds import child
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Kind, Rows, Task
from wordworth.text.tokenizer import Tokenizer

SETTINGS = DistilSettings(method="mean", layer=-1, least=3, occurrences=100, sif=None)
"""Plain means, without weights: the table stands in for the mean of the encoder's last layer over a text."""
MOST_CHARACTERS = 1_500_000
"""The maximum number of characters read of the training texts: about a quarter of a million words."""


@dataclass(frozen=True, slots=True)
class DistilledRung(Rung):
    """A rung with static word vectors, distilled from an encoder, and a head that learns the labels from them.

    The vectors are distilled on the training texts, as the command `to-static` does. In cross-validation, the vectors
    of a fold are computed without the texts of its held-out rows (`LeaveOutTable`).

    Args:
        model: the encoder: a catalogue name, a folder or a cached hub name.
        head: the estimator that learns the labels from the table's vectors.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "static"

    @property
    def name(self) -> str:
        """The name of the rung, such as `minilm-static`."""
        return f"{short_name(self.model)}-static"

    @property
    def title(self) -> str:
        """The title of the rung, such as `MiniLM as a table`."""
        return f"{display_name(self.model)} as a table"

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the rung supports: the kinds that its head supports."""
        return self.head.kinds

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the encoder, distil the table and pool its vectors over every text.

        Raises:
            BadInput: no encoder of that name is on this machine, its files are damaged, it has no vocabulary, or the
                training texts are too few.
            MissingExtra: torch is not installed.
        """
        from wordworth.models.static.distillation.distill import distil, tokenizer_of

        encoder = load_encoder(self.model, run_context.dtype, run_context.device)
        key, subword_states = vectors_key(encoder, "representations"), [np.zeros((0, encoder.model.width), np.float32)]

        def cached(what: str, make: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
            subword_states.append(run_context.cache.array(content_key(key, what), make))
            return subword_states[-1]

        texts, read = list(training_texts(task, run_context.seed)), Occurrences()
        distilled = distil(encoder, lambda: (text for _, text in texts), SETTINGS, run_context.progress, cached, read)
        with TemporaryDirectory() as folder:  # the table is judged as it would be shipped, rounding included
            distilled.save(folder)
            table = read_model2vec(Path(folder), self.name)
        static = Static(table, self.name, self.title, notes=distilled.counts)
        fallback = subword_means(distilled, tokenizer_of(encoder), subword_states[-1])
        leave_out = LeaveOutTable.of(table, distilled, read, np.array([row for row, _ in texts]), fallback)
        learner = RepresentationRung(static, self.head).prepare(task, run_context)
        return replace(learner, leave_out=lambda rows: replace(static, table=leave_out.without(rows)))


def training_texts(task: Task, seed: int) -> Iterator[tuple[int, str]]:
    """Yield (index of the row, text) for training texts in random row order, up to `MOST_CHARACTERS` in all.

    Args:
        task: the task.
        seed: seed of the order.
    """
    remaining = MOST_CHARACTERS
    for row in child(seed, "distil").permutation(task.train).tolist():
        for side in (task.examples.first, task.examples.second):
            if side is not None and remaining > 0:
                remaining -= len(side[row])
                yield row, side[row]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The word occurrences that a distillation has read, in batches; a call of an instance adds a batch.

    Attributes:
        entries: for each batch int64 [batch], the row of the static table for each occurrence.
        texts: for each batch int64 [batch], the index of the text in which each occurrence is.
        states: for each batch float16 [batch, width], the encoder's state of each occurrence.
    """

    entries: list[NDArray[np.int64]] = field(default_factory=list)
    texts: list[NDArray[np.int64]] = field(default_factory=list)
    states: list[NDArray[np.float16]] = field(default_factory=list)

    def __call__(self, entries: NDArray[np.int64], texts: NDArray[np.int64], states: NDArray[np.float32]) -> None:
        """Append a batch of occurrences."""
        self.entries.append(entries)
        self.texts.append(texts)
        self.states.append(states.astype(np.float16))


@dataclass(frozen=True, slots=True, eq=False)
class ReplacedVectors(Vectors):
    """The vectors of a table with some rows replaced; the other rows are not copied.

    Attributes:
        original: float [rows, width], the vectors of the table.
        rows: int64 [replaced], the indices of the replaced rows, ascending.
        replacements: float32 [replaced, width].
    """

    original: Vectors
    rows: NDArray[np.int64]
    replacements: NDArray[np.float32]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows, and width of a row."""
        return self.original.shape

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - numpy's own indexing is as wide
        """Return the vectors of some rows, float32 [n, width].

        Args:
            rows: int64 [n], indices of rows; or a slice or bool array, as numpy's indexing takes.
        """
        numbers = np.arange(self.shape[0])[rows]
        vectors: NDArray[np.float32] = self.original[numbers].astype(np.float32, copy=False)
        if len(self.rows):
            positions = np.minimum(np.searchsorted(self.rows, numbers), len(self.rows) - 1)
            is_replaced = self.rows[positions] == numbers
            vectors[is_replaced] = self.replacements[positions[is_replaced]]
        return vectors


@dataclass(frozen=True, slots=True)
class LeaveOutTable:
    """A table of words' mean vectors from which the occurrences in given texts can be subtracted.

    Attributes:
        table: the means over all occurrences.
        least: minimum number of occurrences for a mean.
        words: int64 [occurrences], the table row of each occurrence.
        items: int64 [occurrences], the index of the task's row in which each occurrence is.
        states: float16 [occurrences, width], the states of the occurrences, projected onto the table's axes.
        fallback: float32 [words, width], the vector that each word gets if fewer than `least` occurrences remain.
    """

    table: StaticTable
    least: int
    words: NDArray[np.int64]
    items: Rows
    states: NDArray[np.float16]
    fallback: NDArray[np.float32]

    @classmethod
    def of(
        cls, table: StaticTable, distilled: Distilled, read: Occurrences, rows: Rows, fallback: NDArray[np.float32]
    ) -> LeaveOutTable:
        """Build the table from the results of a distillation.

        Args:
            table: the static table that the distillation made.
            distilled: the result of the distillation, with its settings and axes.
            read: the recorded occurrences in all texts.
            rows: int64 [texts], the index of each text's row in the task.
            fallback: float32 [words, width], the mean state of each word's subwords (`subword_means`).
        """
        return cls(
            table,
            distilled.settings.least,
            np.concatenate([np.zeros(0, np.int64), *read.entries]) + 1,  # row 0 is the unknown token's
            rows[np.concatenate([np.zeros(0, np.int64), *read.texts])],
            np.concatenate([_to_table_axes(distilled, states).astype(np.float16) for states in read.states]),
            _to_table_axes(distilled, fallback),
        )

    def without(self, items: Rows) -> StaticTable:
        """Return the static table whose means leave out the word occurrences in some rows of the task.

        Args:
            items: int64 [n], the indices of the rows whose occurrences are left out.
        """
        removed = np.flatnonzero(np.isin(self.items, items))
        touched, index = np.unique(self.words[removed], return_inverse=True)
        every, fewer = (np.bincount(words, minlength=len(self.table)) for words in (self.words, self.words[removed]))
        counts, remaining = every[touched, None], (every - fewer)[touched, None]
        shape = len(touched), len(removed)
        by_word = csr_matrix((np.ones(len(removed), np.float32), (index, np.arange(len(removed)))), shape)
        rest = self.table.vectors[touched] * counts - by_word @ self.states[removed].astype(np.float32)
        means = np.where(remaining < self.least, self.fallback[touched - 1], rest / np.maximum(remaining, 1))
        return replace(self.table, vectors=ReplacedVectors(self.table.vectors, touched, means.astype(np.float32)))


def subword_means(
    distilled: Distilled, tokenizer: Tokenizer, subword_states: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the mean state of each word's subwords, float32 [words, d]; zeros for words without known subwords.

    Args:
        distilled: the result of the distillation, which lists the words.
        tokenizer: the encoder's tokenizer.
        subword_states: float32 [subwords, d], the encoder's state of each subword without context, in the order of
            `text_pieces(tokenizer)`; empty to use none.
    """
    from wordworth.models.static.distillation.distill import text_pieces

    positions = (
        {index: position for position, index in enumerate(text_pieces(tokenizer).values())}
        if len(subword_states)
        else {}
    )
    means = np.zeros((distilled.counts.words, subword_states.shape[1]), np.float32)
    words = list(distilled.entries[: distilled.counts.words])
    for row, ids in enumerate(tokenizer.ids(words, special=False)):
        known = [positions[index] for index in ids.tolist() if index in positions]
        if known:
            means[row] = subword_states[known].mean(0)
    return means


def _to_table_axes(distilled: Distilled, states: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return states, [n, width of the encoder], projected onto the axes of the table."""
    wide = states.astype(np.float32)
    return distilled.axes(wide).astype(np.float32) if distilled.axes else wide
