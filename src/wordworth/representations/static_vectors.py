"""Static word vectors as a representation: GloVe, WordLlama, or the user's own table of vectors.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.models.static.distillation.distilled_table import Notes
from wordworth.models.static.read_static_table import read_static
from wordworth.models.static_embeddings import StaticTable, TokenRows
from wordworth.representations.feature_blocks import Features
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.lazy_feature_sets import Lazy, RepeatedRows, pair_views
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung, VocabularyCoverage
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import IN_LADDER

Pool = Callable[[TokenRows], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Static(Representation):
    """Static word vectors, pooled over a text in several ways, each a view (feature set).

    The views are `mean`; `rare`, the mean with frequent words down-weighted (only for tables ordered by frequency); and
    `mean-max`, the mean beside the maximum of each column, which preserves a single informative word. In tagging the
    features are each word's vector and whether the table has the word.

    Attributes:
        pools: the names of the views to offer.
        notes: counts of the texts and words that the table was distilled from; None for other tables.
    """

    table: StaticTable
    name: str
    title: str
    family = "static"
    pools: tuple[Literal["mean", "rare", "mean-max"], ...] = ("mean", "rare", "mean-max")
    notes: Notes | None = None

    def kinds(self) -> frozenset[Kind]:
        """Return the names of all kinds of task."""
        return IN_LADDER

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return the views (feature sets) of texts, computed at first use.

        The views are not cached, since looking up words is faster than hashing the texts.
        """
        if examples.words is not None:
            return self._word_views(examples.words)
        find = self.table.lexicon.find
        return self.pooled(find(examples.first), None if examples.second is None else find(examples.second))

    def pooled(self, first: TokenRows, second: TokenRows | None) -> Mapping[str, Features]:
        """Return the features of texts: name of a view (feature set) -> matrix.

        Args:
            first: the table rows of the words of each text.
            second: the table rows of the words of each pair's second text; None for single texts.
        """
        of_first = {view: partial(pool, first) for view, pool in self._pools().items()}
        if second is None:
            return Lazy(of_first)
        return Lazy(pair_views(of_first, {view: partial(pool, second) for view, pool in self._pools().items()}))

    def cost(self) -> Cost:
        """Return the table's size; the view `mean-max` has two features per column."""
        numbers, wide = len(self.table) * self.table.width, 1 + ("mean-max" in self.pools)
        return Cost(disk_bytes=self.table.disk_bytes, parameters=numbers, num_features=wide * self.table.width)

    def _pools(self) -> dict[str, Pool]:
        table = self.table
        known: dict[str, Pool] = {
            "mean": table.mean,
            "rare": table.sif_mean,
            "mean-max": lambda rows: np.hstack([table.mean(rows), table.max_pool(rows)]),
        }
        return {name: known[name] for name in self.pools if name != "rare" or table.by_frequency}

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:
        """Count the words without a vector, and the texts in which no word has a vector.

        The features of such a text are all zeros.
        """
        parts = [examples.first, examples.second or ()]
        if examples.words is not None:
            parts = [tuple(word for sentence in examples.words for word in sentence)]
        sides = [self.table.lexicon.find(part) for part in parts]
        unknown = sum(side.unknown for side in sides)
        written = [np.array([bool(text.strip()) for text in part], dtype=np.bool_) for part in parts]
        blank = sum(int((has & (np.diff(side.starts) == 0)).sum()) for has, side in zip(written, sides, strict=True))
        pieces = sum(len(side.rows) for side in sides) + unknown
        return VocabularyCoverage(pieces, unknown, 0 if examples.words else blank)

    def _word_views(self, sentences: tuple[tuple[str, ...], ...]) -> RepeatedRows:
        """Return the view of words to tag, float32 [words, width + 1]; the last column is 1 where the word is known."""
        words = [word for sentence in sentences for word in sentence]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
        vectors, known = self.table.word_vectors(list(numbers))
        indices = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
        return RepeatedRows("words", np.hstack([vectors, known[:, None].astype(np.float32)]), indices)


@dataclass(frozen=True, slots=True)
class StaticRung(Rung):
    """A rung with static word vectors, and a head that learns the labels from them.

    Attributes:
        source: the table of vectors: a catalogue name, a file or folder, or a cached hub name.
    """

    source: str
    name: str
    title: str
    head: Head = field(default_factory=LinearHead)
    family = "static"

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the rung supports: the kinds that its head supports."""
        return self.head.kinds

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the table and pool it over every text.

        Raises:
            BadInput: the table is not on this machine (the error shows the command that installs it), or its file is
                damaged.
        """
        representation = Static(read_static(self.source, hash_whole=True), self.name, self.title)
        return RepresentationRung(representation, self.head).prepare(task, run_context)


def glove(head: Head) -> StaticRung:
    """Return the rung with GloVe 6B 50d, vectors of 400,000 words, under the given head."""
    return StaticRung("glove", "glove", "GloVe", head)


def wordllama(head: Head) -> StaticRung:
    """Return the rung with WordLlama, vectors of 32,000 subwords from large language models, under the given head."""
    return StaticRung("wordllama", "wordllama", "WordLlama", head)
