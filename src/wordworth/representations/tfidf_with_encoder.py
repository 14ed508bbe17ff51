"""The hybrid rung: TF-IDF features and a frozen encoder's vectors side by side under one linear head.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

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
from wordworth.representations.frozen_encoder import Contextual
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.lazy_feature_sets import Lazy, take_rows
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.representations.tfidf import Tfidf
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import ABOUT_TEXTS, todays_names

SPARSE_VIEW = "both"
WEIGHTS = (0.3, 0.7)


@dataclass(frozen=True, slots=True)
class Hybrid(Rung):
    """A rung with TF-IDF features and a contextual encoder's vectors side by side, and a head that learns from both.

    Args:
        model: the encoder: a catalogue name, a folder or a cached hub name.
        head: the estimator that learns the labels from both kinds of features.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "hybrid"
    contextual = True

    @property
    def name(self) -> str:
        """The name of the rung, such as `tfidf+minilm`."""
        return f"tfidf+{short_name(self.model)}"

    @property
    def title(self) -> str:
        """The title of the rung, such as `TF-IDF beside MiniLM`."""
        return f"TF-IDF beside {display_name(self.model)}"

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the rung supports: all that its head supports, except tagging."""
        return todays_names(self.head.kinds) & ABOUT_TEXTS

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Count the n-grams of the task's texts and encode the texts (cached for the frozen rung too).

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = load_encoder(self.model, run_context.dtype, run_context.device)
        dense = Contextual(encoder, short_name(self.model), self.title, vectors_key(encoder, "representations"))
        return RepresentationRung(
            ConcatenatedFeatures(Tfidf(), dense, self.name, self.title, run_context), self.head
        ).prepare(task, run_context)


@dataclass(frozen=True, slots=True)
class ConcatenatedFeatures(Representation):
    """TF-IDF features and dense vectors side by side; the vectors are standardised over the training texts.

    Each dense view (feature set) is offered with several weights, so that the head selects the weight like any other
    setting. In the view `sentence 0.3` the sentence vector has 0.3 of a row's squared norm, and TF-IDF the rest.

    Attributes:
        sparse: the TF-IDF features.
        dense: the encoder's vectors.
        run_context: the cache and settings by which the dense views are computed.
        weights: fractions of a row's squared norm that the dense vectors may have.
        precomputed: dense views of the prepared texts; None before `prepare`.
        scalings: name of each dense view -> its scaling, once fitted.
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
    precomputed: _PrecomputedViews | None = None
    scalings: Mapping[str, Scaling] = field(default_factory=dict)

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that TF-IDF supports."""
        return self.sparse.kinds()

    def prepare(self, examples: Examples) -> Self:
        """Return a copy that stores the counts of the n-grams and the encoder's vectors of every text."""
        precomputed = _PrecomputedViews.of(examples, self.dense.views(examples, self.run_context))
        return replace(self, sparse=self.sparse.prepare(examples), precomputed=precomputed)

    def forget(self) -> Self:
        """Return a copy without the results of `prepare`."""
        return replace(self, sparse=self.sparse.forget(), precomputed=None)

    def fit(self, examples: Examples) -> Self:
        """Return a copy fitted on training texts.

        The copy has their document frequencies and, for each dense view, the `Scaling` of its columns.
        """
        ready = self if self.precomputed else self.prepare(examples)
        ready = replace(ready, sparse=ready.sparse.fit(examples))
        dense = ready.dense_views(examples, self.run_context)
        makers = {view: lambda view=view: Scaling.of(dense[view]) for view in self.dense_names()}
        return replace(ready, scalings=Lazy(makers))

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return a view (feature set) for each dense view and each weight of it, computed at its first use."""
        sparse, dense = self.sparse.views(examples, run_context), self.dense_views(examples, run_context)
        scaled = Lazy({view: lambda view=view: self.scalings[view](dense[view]) for view in self.dense_names()})  # type: ignore[misc] # as above
        makers: dict[str, Callable[[], Features]] = {}
        for view in self.dense_names():
            for weight in self.weights:
                makers[f"{view} {weight}"] = lambda view=view, weight=weight: (  # type: ignore[misc] # as above
                    Blocks.of(sparse[SPARSE_VIEW])
                    .times(math.sqrt(1 - weight))
                    .hstack(scaled[view].times(math.sqrt(weight)))
                )
        return Lazy(makers)

    def dense_names(self) -> tuple[str, ...]:
        """Return the names of the dense views: the sentence vector, and the layer at two thirds of the depth."""
        return ("sentence", *(f"layer {layer}" for layer in self.dense.single_layers[:1]))

    def dense_views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the encoder's vectors of texts as views (feature sets); prepared texts are not encoded again."""
        rows = None if self.precomputed is None else self.precomputed.rows(examples)
        if rows is None or self.precomputed is None:
            return self.dense.views(examples, run_context)
        return take_rows(self.precomputed.views, rows)

    def cost(self) -> Cost:
        """Return the size of the TF-IDF features and of the encoder together."""
        counts, states = self.sparse.cost(), self.dense.cost()
        return Cost(
            counts.disk_bytes + states.disk_bytes,
            counts.parameters + states.parameters,
            counts.num_features + self.dense.encoder.model.width,
        )


@dataclass(frozen=True, slots=True)
class _PrecomputedViews:
    """The dense views of the examples that `prepare` was given.

    Attributes:
        views: name -> features, with a row for each of these examples.
        row_of: (first text, second text or None) of an example -> index of its row in the features.
    """

    views: Mapping[str, Features]
    row_of: Mapping[tuple[str, str | None], int]

    @classmethod
    def of(cls, examples: Examples, views: Mapping[str, Features]) -> _PrecomputedViews:
        return cls(views, {key: row for row, key in enumerate(_keys(examples))})

    def rows(self, examples: Examples) -> NDArray[np.int64] | None:
        """Return the index of each example's row in the features, int64 [n]; None if some example has no row."""
        keys = _keys(examples)
        if not self.row_of.keys() >= set(keys):
            return None
        return np.array([self.row_of[key] for key in keys], dtype=np.int64)


def _keys(examples: Examples) -> list[tuple[str, str | None]]:
    second = examples.second or (None,) * len(examples)
    return list(zip(examples.first, second, strict=True))
