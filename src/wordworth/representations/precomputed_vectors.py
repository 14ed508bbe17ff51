"""A user's own vectors of the texts, computed elsewhere (such as by a paid API), with their price.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.read_vectors import MEND, read_vectors
from wordworth.representations.feature_blocks import Features
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.lazy_feature_sets import Lazy, pair_views
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung
from wordworth.sentence_formatting import some_of
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import ABOUT_TEXTS, todays_names


@dataclass(frozen=True, slots=True)
class VectorFile(Representation):
    """Vectors of the task's texts, read from a file.

    Attributes:
        vectors: float [n, d].
        rows: text (or pair of texts, if `whole`) -> index of its vector in `vectors`.
        whole: whether a pair has a single vector instead of one for each text.
        price: price of the vectors of a million texts, in the user's currency.
    """

    name: str
    title: str
    vectors: np.ndarray
    rows: Mapping[Hashable, int]
    whole: bool
    price: float = 0.0
    family = "frozen"
    contextual = True

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task about whole texts."""
        return ABOUT_TEXTS

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return the user's vectors.

        Raises:
            BadInput: a text has no vector.
        """
        if self.whole:
            return {"given": self._vectors_of(_example_keys(examples))}
        first = self._vectors_of(examples.first)
        if examples.second is None:
            return {"given": first}
        second = self._vectors_of(examples.second)
        return Lazy(pair_views({"given": lambda: first}, {"given": lambda: second}))

    def cost(self) -> Cost:
        """Return the user's price of embedding a million texts, and the number of features.

        The size of the model that computed the vectors is unknown and counts as 0.
        """
        return Cost(disk_bytes=0, parameters=0, num_features=self.vectors.shape[1], price_per_million=self.price)

    def _vectors_of(self, keys: Sequence[Hashable]) -> NDArray[np.float32]:
        missing = [key for key in keys if key not in self.rows]
        if missing:
            raise BadInput(
                f"{some_of(len(missing), len(keys), 'texts has', 'texts have')} no vector, "
                f"the first {str(missing[0])[:60]!r}",
                where=self.name,
                mend="embed every text of the data, test part included",
            )
        vectors = np.asarray(self.vectors[[self.rows[key] for key in keys]], dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise BadInput("a vector holds NaN or infinity", where=self.name, mend="embed the texts again")
        return vectors


@dataclass(frozen=True, slots=True)
class VectorFileRung(Rung):
    """A rung with vectors that the user computed, and a head that learns the labels from them.

    Attributes:
        path: the file of vectors.
        name: name of the rung.
        title: title of the rung in reports.
        price: price of the vectors of a million texts, in the user's currency.
        head: the estimator that learns the labels from the vectors.
    """

    path: Path
    name: str
    title: str
    price: float = 0.0
    head: Head = field(default_factory=LinearHead)
    family = "frozen"
    contextual = True

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task about whole texts that the head supports."""
        return ABOUT_TEXTS & todays_names(self.head.kinds)

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Read the file and assign its vectors to the task's texts.

        Raises:
            BadInput: the file is unreadable, its rows do not fit the rows of the data, or a text has no vector.
        """
        vectors, texts = read_vectors(self.path)
        rows = self._in_order(task, len(vectors)) if texts is None else _row_of(texts)
        representation = VectorFile(self.name, self.title, vectors, rows, texts is None, self.price)
        return RepresentationRung(representation, self.head).prepare(task, run_context)

    def _in_order(self, task: Task, count: int) -> Mapping[Hashable, int]:
        """Return text or pair of texts -> index of its vector, for a file of vectors in the order of the data's rows.

        Args:
            task: the task.
            count: number of vectors in the file: one for each row of the data, the training file's rows first.

        Raises:
            BadInput: there are more or fewer vectors than rows.
        """
        read = sum(origin.rows for origin in task.origins) or len(task.examples)
        numbers = np.arange(len(task.examples)) if task.numbers is None else task.numbers
        if count != read or (task.numbers is None and read != len(task.examples)):
            raise BadInput(f"{count} vectors, but the data has {read} rows", where=str(self.path), mend=MEND)
        return dict(zip(_example_keys(task.examples), numbers.tolist(), strict=True))


def _example_keys(examples: Examples) -> Sequence[Hashable]:
    return examples.first if examples.second is None else list(zip(examples.first, examples.second, strict=True))


def _row_of(texts: Sequence[str]) -> dict[Hashable, int]:
    """Return text -> index of its first occurrence in `texts`."""
    return {text: row for row, text in reversed(list(enumerate(texts)))}
