"""Static vectors as a representation: GloVe, WordLlama, or any table a user names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.models.static.distillation.export import Notes
from wordworth.models.static.read import read_static
from wordworth.models.static_embeddings import StaticTable, TokenRows
from wordworth.representations.feature_blocks import Features
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.lazy_views import IndexedView, LazyViews, pair_distances, pair_features
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung, VocabularyCoverage
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import IN_LADDER

Pool = Callable[[TokenRows], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Static(Representation):
    """A table's vectors pooled over a text in a few ways, among which the head's protocol chooses.

    `mean`; `rare`, the mean with frequent words down-weighted (tables ordered by frequency); `mean-max`, the mean
    beside the largest value of each column, which keeps a single informative word; `pools` may leave some out. For
    tagging, each word's vector and whether it is known.

    Attributes:
        told: what the table was made from, if it was distilled from an encoder.
    """

    table: StaticTable
    name: str
    title: str
    family = "static"
    pools: tuple[Literal["mean", "rare", "mean-max"], ...] = ("mean", "rare", "mean-max")
    told: Notes | None = None

    def kinds(self) -> frozenset[Kind]:
        """Return every kind of task."""
        return IN_LADDER

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return features of each text, pair or word, computed when used.

        They are not cached: a lookup takes less time than hashing the texts would.
        """
        if examples.words is not None:
            return self._of_words(examples.words)
        find = self.table.lexicon.find
        return self.pooled(find(examples.first), None if examples.second is None else find(examples.second))

    def pooled(self, first: TokenRows, second: TokenRows | None) -> Mapping[str, Features]:
        """Return features of texts or pairs whose words have been looked up, computed when used."""
        if second is None:
            return LazyViews({view: lambda pool=pool: pool(first) for view, pool in self._pools().items()})  # type: ignore[misc] # a lambda's default
        makers: dict[str, Callable[[], Features]] = {}
        for view, pool in self._pools().items():
            makers[view] = lambda pool=pool: pair_features(pool(first), pool(second))  # type: ignore[misc] # as above
            makers[f"{view}-likeness"] = lambda pool=pool: pair_distances(pool(first), pool(second))  # type: ignore[misc] # as above
        return LazyViews(makers)

    def cost(self) -> Cost:
        """Return the table's size; its width is doubled if a view holds two pools."""
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
        """Count words without a vector, which are left out; a text of nothing else becomes zeros."""
        parts = [examples.first, examples.second or ()]
        if examples.words is not None:
            parts = [tuple(word for sentence in examples.words for word in sentence)]
        sides = [self.table.lexicon.find(part) for part in parts]
        unknown = sum(side.unknown for side in sides)
        blank = sum(int((np.diff(side.starts) == 0).sum()) for side in sides)
        pieces = sum(len(side.rows) for side in sides) + unknown
        return VocabularyCoverage(pieces, unknown, 0 if examples.words else blank)

    def _of_words(self, sentences: tuple[tuple[str, ...], ...]) -> IndexedView:
        """Return float32 [words, width + 1], the last column 1 where the word is known."""
        words = [word for sentence in sentences for word in sentence]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
        vectors, known = self.table.word_vectors(list(numbers))
        indices = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
        return IndexedView("words", np.hstack([vectors, known[:, None].astype(np.float32)]), indices)


@dataclass(frozen=True, slots=True)
class StaticRung(Rung):
    """A static table under a head, by a catalogue name, a local file or folder, or a cached hub name."""

    source: str
    name: str
    title: str
    head: Head = field(default_factory=LinearHead)
    family = "static"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the table and pool it over every text.

        Raises:
            BadInput: the table is not on this machine (the error shows the command that installs it), or its file is
                damaged.
        """
        representation = Static(read_static(self.source, kept=True), self.name, self.title)
        return RepresentationRung(representation, self.head).open(task, run_context)


def glove(head: Head) -> StaticRung:
    """Return the rung of GloVe 6B 50d, 400,000 words."""
    return StaticRung("glove", "glove", "GloVe", head)


def wordllama(head: Head) -> StaticRung:
    """Return the rung of WordLlama, 32,000 subwords distilled from large language models."""
    return StaticRung("wordllama", "wordllama", "WordLlama", head)
