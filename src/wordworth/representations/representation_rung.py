"""A representation under a head is a rung: features once (or once a subset), then the head on every subset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wordworth.files import ArrayCache, content_key
from wordworth.progress import SILENT
from wordworth.representations.heads.head import FittedHead, Head, Target, word_rows
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.representation import Features, Representation
from wordworth.representations.rung import Cost, Desk, Family, Predictions, Windowed
from wordworth.tasks.task import Examples, Kind, Rows, Task

_BYTES_A_WEIGHT = 4


@runtime_checkable
class Preparable(Protocol):
    """A representation that learns from training texts, but can do label-free and fit-free work once for all texts."""

    def prepare(self, examples: Examples) -> Self:
        """The same representation with that work done; its features do not change by it."""
        ...

    def forget(self) -> Self:
        """The same representation without what it keeps for those texts, so that their whole path can be timed."""
        ...


class NoCache(ArrayCache):
    """Computes every array: what new texts cost is measured on it."""

    def array(self, key: str, compute: Callable[[], np.ndarray]) -> np.ndarray:  # noqa: ARG002 - an ArrayCache
        """What `compute` gives."""
        return compute()


@dataclass(frozen=True, slots=True)
class RepresentationRung:
    """A rung from a representation and a head (the linear one unless another is given)."""

    representation: Representation
    head: Head = field(default_factory=LinearHead)

    @property
    def name(self) -> str:
        """The representation's name."""
        return self.representation.name

    @property
    def title(self) -> str:
        """The representation's title."""
        return self.representation.title

    @property
    def family(self) -> Family:
        """The representation's family."""
        return self.representation.family

    def kinds(self) -> frozenset[Kind]:
        """What both the representation and the head can do."""
        return self.representation.kinds() & self.head.kinds

    def open(self, task: Task, desk: Desk) -> RepresentationLearner:
        """Compute the views of every text of the task, or what can be computed before a subset is known."""
        representation = self.representation
        if representation.frozen:
            return RepresentationLearner(
                task, desk, representation, self.head, representation.views(task.examples, desk)
            )
        if isinstance(representation, Preparable):
            representation = representation.prepare(task.examples)
        return RepresentationLearner(task, desk, representation, self.head)


@dataclass(frozen=True, slots=True)
class RepresentationLearner:
    """A representation opened on a task; `views` of all its texts where the representation is frozen."""

    task: Task
    desk: Desk
    representation: Representation
    head: Head
    views: Mapping[str, Features] | None = None

    def fit(self, rows: Rows, rng: np.random.Generator) -> RepresentationPredictor:
        """Fit the representation on the texts of `rows` where it learns, then the head on their labels."""
        fitted = self if self.views is not None else self._fitted(rows)
        views = fitted.features(rows)
        return RepresentationPredictor(fitted, self.head.fit(views, Target.of(self.task, rows), rng))

    def features(self, rows: Rows) -> Mapping[str, Features]:
        """Views of the task's `rows`."""
        if self.views is None:
            return self.representation.views(self.task.examples.take(rows), self.desk)
        return _Rows(self.views, feature_rows(self.task, rows))

    def fingerprint(self) -> str | None:
        """The head and the features that it reads; None where the features are learned anew from every subset."""
        if self.views is None:
            return None
        return content_key(self.head, *(part for view in self.views for part in (view, *_bytes(self.views[view]))))

    def beyond_window(self, examples: Examples) -> NDArray[np.bool_]:
        """The examples with a text longer than the representation's window; none where it has no window."""
        representation = self.representation
        if isinstance(representation, Windowed):
            return representation.beyond_window(examples)
        return np.zeros(len(examples), dtype=np.bool_)

    def cost(self) -> Cost:
        """What the representation weighs, fitted on all training texts where it learns, and a linear map above it."""
        fitted = self if self.views is not None else self._fitted(self.task.train)
        cost = fitted.representation.cost()
        weights = (cost.width + 1) * max(len(self.task.classes), 1)
        return replace(
            cost, parameters=cost.parameters + weights, disk_bytes=cost.disk_bytes + _BYTES_A_WEIGHT * weights
        )

    def _fitted(self, rows: Rows) -> RepresentationLearner:
        return replace(self, representation=self.representation.fit(self.task.examples.take(rows)))


@dataclass(frozen=True, slots=True)
class RepresentationPredictor:
    """A representation and a head that have learned."""

    learner: RepresentationLearner
    head: FittedHead

    @property
    def chosen(self) -> Mapping[str, object]:
        """What the head selected."""
        return self.head.chosen

    def predict(self, rows: Rows) -> Predictions:
        """Predictions for the task's `rows`."""
        task = self.learner.task
        return self.head.predict(self.learner.features(rows)[self.head.view], lengths(task.examples, task.kind, rows))

    def answer(self, examples: Examples) -> Predictions:
        """Predictions for new texts, nothing cached, and nothing told: it is asked again and again."""
        learner = self.learner
        representation = learner.representation
        if isinstance(representation, Preparable):
            representation = representation.forget()
        views = representation.views(examples, replace(learner.desk, cache=NoCache(), progress=SILENT))
        rows = np.arange(len(examples))
        return self.head.predict(views[self.head.view], lengths(examples, learner.task.kind, rows))


class _Rows(Mapping[str, Features]):
    """Some rows of every view, taken when a view is asked for."""

    def __init__(self, views: Mapping[str, Features], rows: Rows) -> None:
        self._views, self._rows = views, rows

    def __getitem__(self, view: str) -> Features:
        return self._views[view][self._rows]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)


def lengths(examples: Examples, kind: Kind, rows: Rows) -> NDArray[np.int64] | None:
    """int64, words of each sentence at `rows` for tagging; None otherwise."""
    if kind != "tags" or examples.words is None:
        return None
    return np.array([len(examples.words[row]) for row in rows], dtype=np.int64)


def _bytes(features: Features) -> tuple[bytes, ...]:
    if isinstance(features, np.ndarray):
        return str(features.shape).encode(), np.ascontiguousarray(features).tobytes()
    return str(features.shape).encode(), features.data.tobytes(), features.indices.tobytes(), features.indptr.tobytes()


def feature_rows(task: Task, rows: Rows) -> Rows:
    """Rows of the features of all examples that belong to `rows` of the task."""
    every = lengths(task.examples, task.kind, np.arange(len(task.examples)))
    return rows if every is None else word_rows(every, rows)
