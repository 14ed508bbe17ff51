"""A learned mix of an encoder's layers, before the shared head chooses (Peters et al. 2018, equation 1, without scale).

    mix = sum over k of softmax(a)_k * layer_k

The a are trained together with a linear probe on the training labels: 2 to 25 numbers from hundreds of labels. The mix
is then one more view among the others, and the head's own protocol decides whether to use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.base import Chosen, FittedHead, FoldFeatures, Head, Target, Views
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.lazy_views import of_pairs
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind, Rows
from wordworth.tasks.task_types import ABOUT_TEXTS, todays_names

Floats = NDArray[np.float32]
LAYERS, MIX = "layers", "mix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixing(Head):
    """A head that adds the view `mix`, learned from the view `layers`, and lets an inner head choose among all views.

    Attributes:
        shape: number of layers and width of the view `layers`; a pair's two texts are side by side.
        items: most items that the mix is learned from; seven numbers need no more.
        iterations: of L-BFGS.
        strength: C of the probe, as in `LinearHead`.
    """

    shape: tuple[int, int]
    inner: Head = field(default_factory=LinearHead)
    items: int = 200
    iterations: int = 15
    strength: float = 10.0

    @property
    def kinds(self) -> frozenset[Kind]:
        """The inner head's kinds of task, except tags."""
        return todays_names(self.inner.kinds) & ABOUT_TEXTS

    @property
    def max_selection_items(self) -> int | None:
        """Number of items that a choice is made on."""
        return self.inner.max_selection_items

    @property
    def is_stochastic(self) -> bool:
        """As the inner head."""
        return self.inner.is_stochastic

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> Chosen:
        """Let the inner head choose; in every fold the mix is learned from the training items alone."""

        def mixed(training: Rows, held_out: Rows) -> tuple[Views, Views]:
            training_views, held_out_views = features(training, held_out)
            shares = self._shares(training_views, target.take(training))
            return _Mixed(training_views, self.shape, shares), _Mixed(held_out_views, self.shape, shares)

        return self.inner.choose(mixed, target, rng)

    def learn(self, views: Views, target: Target, choice: Chosen, rng: np.random.Generator) -> FittedMixing:
        """Learn the mix, if it was chosen, and let the inner head learn from all of the target's items.

        Args:
            views: of the target's items.
            target: their labels.
            choice: what `choose` returned.
            rng: passed to the inner head.
        """
        if not choice.view.startswith(MIX):
            return FittedMixing(self.inner.learn(views, target, choice, rng), self.shape, None)
        shares = self._shares(views, target)
        return FittedMixing(
            self.inner.learn(_Mixed(views, self.shape, shares), target, choice, rng), self.shape, shares
        )

    def _shares(self, views: Views, target: Target) -> NDArray[np.float64]:
        """Return the layers' weights, float64 [layers], not negative, summing to 1; equal if nothing can be learned."""
        items = np.arange(min(self.items, len(target)))
        layers, target = np.asarray(views[LAYERS][items]), target.take(items)
        equal = np.full(self.shape[0], 1 / self.shape[0])
        if len(np.unique(np.asarray(target.labels), axis=0)) < 2:  # noqa: PLR2004 - nothing to learn from a single label
            return equal
        from wordworth.representations.heads.layer_probe import learned_shares

        return learned_shares(layers.reshape(len(target), -1, *self.shape), target, self.iterations, self.strength)


@dataclass(frozen=True, slots=True)
class FittedMixing:
    """A fitted head and the mix that it reads; shares are None if it reads another view."""

    inner: FittedHead
    shape: tuple[int, int]
    shares: NDArray[np.float64] | None

    @property
    def view(self) -> str:
        """The view that is read: `layers` if the mix was chosen."""
        return self.inner.view if self.shares is None else LAYERS

    @property
    def chosen(self) -> Mapping[str, object]:
        """The inner head's choice, and each layer's weight if that is the mix."""
        shares = {} if self.shares is None else {"shares": [round(float(share), 4) for share in self.shares]}
        return {**self.inner.chosen, **shares}

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        return self.inner.parameters + (0 if self.shares is None else len(self.shares))

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return predictions from the features of `view`."""
        if self.shares is not None:
            features = mixed_views(np.asarray(features), self.shape, self.shares)[self.inner.view]
        return self.inner.predict(features, lengths)


class _Mixed(Mapping[str, Features]):
    """The views with the mix in place of the layers, each computed when used."""

    def __init__(self, views: Views, shape: tuple[int, int], shares: NDArray[np.float64]) -> None:
        self._views = views
        self._mixed = mixed_views(np.asarray(views[LAYERS]), shape, shares)

    def __getitem__(self, view: str) -> Features:
        return self._mixed[view] if view in self._mixed else self._views[view]

    def __iter__(self) -> Iterator[str]:
        yield from (view for view in self._views if view != LAYERS)
        yield from self._mixed

    def __len__(self) -> int:
        return len(self._views) - 1 + len(self._mixed)


def mixed_views(layers: Floats, shape: tuple[int, int], shares: NDArray[np.float64]) -> Mapping[str, Features]:
    """Return the mix of `layers` [n, texts * layers * width] as views: `mix`, and for pairs also `mix-likeness`."""
    texts = layers.reshape(len(layers), layers.shape[1] // (shape[0] * shape[1]), *shape)
    mix = np.einsum("ntld,l->ntd", texts, shares.astype(np.float32))
    return {MIX: mix[:, 0]} if mix.shape[1] == 1 else of_pairs({MIX: (mix[:, 0], mix[:, 1])})
