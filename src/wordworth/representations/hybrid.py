"""The hybrid rung: TF-IDF beside a frozen encoder's vectors under one linear head; rarely tried in practice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.representations.feature_blocks import Blocks, Features, Scaling
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.frozen import Contextual
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.lazy_views import Lazy, LazyViews
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.representations.tfidf import Tfidf
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import ABOUT_TEXTS, todays_names

SPARSE = "both"
WEIGHTS = (0.3, 0.7)


@dataclass(frozen=True, slots=True)
class Hybrid(Rung):
    """TF-IDF counts beside a contextual encoder's states.

    Args:
        model: a catalogue name, a folder or a cached hub name.
        head: above both.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "hybrid"
    contextual = True

    @property
    def name(self) -> str:
        """`tfidf+minilm`."""
        return f"tfidf+{short_name(self.model)}"

    @property
    def title(self) -> str:
        """`TF-IDF beside MiniLM`."""
        return f"TF-IDF beside {display_name(self.model)}"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task, except tags."""
        return todays_names(self.head.kinds) & ABOUT_TEXTS

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Count the task's texts, and encode them (once for this rung and the frozen one).

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = load_encoder(self.model)
        dense = Contextual(encoder, short_name(self.model), self.title, vectors_key(encoder, "representations"))
        return RepresentationRung(
            ConcatenatedFeatures(Tfidf(), dense, self.name, self.title, run_context), self.head
        ).open(task, run_context)


@dataclass(frozen=True, slots=True)
class ConcatenatedFeatures(Representation):
    """Sparse counts and dense vectors side by side, the rows of each block with squared norm about one.

    The dense block's columns are standardised over the training texts. Its weight is part of a view's name, so that the
    head's protocol chooses it on the training labels like everything else: `sentence 0.5` gives half of the rows'
    squared norm to the encoder's sentence vector.

    Attributes:
        run_context: where the dense views of all texts are cached; a subset takes its rows from there.
        weights: fractions of the squared norm that the dense block may have.
        known: dense views of the prepared texts, and the row of each text or pair.
        scalings: of each dense view, once fitted.
    """

    sparse: Tfidf
    dense: Contextual
    name: str
    title: str
    run_context: RunContext = field(default_factory=RunContext)
    weights: tuple[float, ...] = WEIGHTS
    family = "hybrid"
    contextual = True
    frozen = False
    known: _PrecomputedViews | None = None
    scalings: Mapping[str, Scaling] = field(default_factory=dict)

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that counts can do."""
        return self.sparse.kinds()

    def prepare(self, examples: Examples) -> Self:
        """Count every text once and encode it once."""
        known = _PrecomputedViews.of(examples, self.dense.views(examples, self.run_context))
        return replace(self, sparse=self.sparse.prepare(examples), known=known)

    def forget(self) -> Self:
        """Return the same without the prepared texts."""
        return replace(self, sparse=self.sparse.forget(), known=None)

    def fit(self, examples: Examples) -> Self:
        """Learn document frequencies and the scale of every column from the training texts."""
        ready = self if self.known else self.prepare(examples)
        ready = replace(ready, sparse=ready.sparse.fit(examples))
        dense = ready.dense_views(examples, self.run_context)
        makers = {view: lambda view=view: Scaling.of(dense[view]) for view in self.dense_names()}
        return replace(ready, scalings=Lazy(makers))

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return a view for each dense view and weight, computed when used."""
        sparse, dense = self.sparse.views(examples, run_context), self.dense_views(examples, run_context)
        scaled = Lazy({view: lambda view=view: self.scalings[view](dense[view]) for view in self.dense_names()})  # type: ignore[misc] # as above
        makers: dict[str, Callable[[], Features]] = {}
        for view in self.dense_names():
            for weight in self.weights:
                makers[f"{view} {weight}"] = lambda view=view, weight=weight: (  # type: ignore[misc] # as above
                    Blocks.of(sparse[SPARSE]).times(math.sqrt(1 - weight)).beside(scaled[view].times(math.sqrt(weight)))
                )
        return LazyViews(makers)

    def dense_names(self) -> tuple[str, ...]:
        """Return the names of the dense views used: the sentence vector, and the layer at two thirds of the depth."""
        return ("sentence", *(f"layer {layer}" for layer in self.dense.single_layers[:1]))

    def dense_views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the dense views of texts: rows of the prepared ones, or computed."""
        rows = None if self.known is None else self.known.rows(examples)
        if rows is None or self.known is None:
            return self.dense.views(examples, run_context)
        views = self.known.views
        return LazyViews({name: lambda name=name: views[name][rows] for name in self.dense_names()})  # type: ignore[misc] # a lambda's default

    def cost(self) -> Cost:
        """Return the size of both together."""
        counts, states = self.sparse.cost(), self.dense.cost()
        return Cost(
            counts.disk_bytes + states.disk_bytes,
            counts.parameters + states.parameters,
            counts.num_features + self.dense.encoder.model.width,
        )


@dataclass(frozen=True, slots=True)
class _PrecomputedViews:
    """Dense views of prepared examples, looked up by their texts."""

    views: Mapping[str, Features]
    row_of: Mapping[tuple[str, str | None], int]

    @classmethod
    def of(cls, examples: Examples, views: Mapping[str, Features]) -> _PrecomputedViews:
        return cls(views, {key: row for row, key in enumerate(_keys(examples))})

    def rows(self, examples: Examples) -> NDArray[np.int64] | None:
        """Return the rows of `examples`, or None if one of them is new."""
        rows = [self.row_of.get(key) for key in _keys(examples)]
        known = [row for row in rows if row is not None]
        return np.array(known, dtype=np.int64) if len(known) == len(rows) else None


def _keys(examples: Examples) -> list[tuple[str, str | None]]:
    second = examples.second or (None,) * len(examples)
    return list(zip(examples.first, second, strict=True))
