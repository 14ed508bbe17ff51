"""A learned mix of an encoder's layers (Peters et al. 2018, equation 1, without scale) as a further feature set.

    mix = sum over k of softmax(a)_k * layer_k

The weights a (2 to 25 numbers) are trained together with a linear probe on the training labels. Cross-validation then
decides whether the head reads the mix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.base import Choice, FittedHead, FoldFeatures, Head, Target, Views
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.heads.temperature_scaling import Calibration, calibration_of
from wordworth.representations.lazy_feature_sets import Lazy, pair_views
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind, Rows
from wordworth.tasks.task_types import ABOUT_TEXTS, todays_names

Floats = NDArray[np.float32]
LAYERS, MIX = "layers", "mix"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarMixHead(Head):
    """A head that learns a mix of an encoder's layers; an inner head selects the mix or another view, and reads it.

    The head reads the view (feature set) `layers` and adds the mix as the view `mix`.

    Attributes:
        shape: (number of layers, width of one layer) in the view `layers`. For a pair of texts, this view has the
            layers of both texts side by side.
        inner: the head that is fitted on the selected view.
        items: maximum number of items that the mix is learned from.
        iterations: maximum number of steps of L-BFGS.
        strength: inverse regularisation strength C of the linear probe that is fitted with the mix.
    """

    shape: tuple[int, int]
    inner: Head = field(default_factory=LinearHead)
    items: int = 200
    iterations: int = 15
    strength: float = 10.0

    @property
    def kinds(self) -> frozenset[Kind]:
        """The names of the kinds of task that the inner head can learn, except tagging."""
        return todays_names(self.inner.kinds) & ABOUT_TEXTS

    @property
    def max_selection_items(self) -> int | None:
        """Maximum number of items on which the inner head selects its settings; None for all."""
        return self.inner.max_selection_items

    @property
    def is_stochastic(self) -> bool:
        """True if the inner head draws random numbers, so that a fit depends on `rng`."""
        return self.inner.is_stochastic

    def with_progress(self, report: Callable[[float], None]) -> ScalarMixHead:
        """Return the same head whose inner head calls `report` with each fraction of a fit that is done."""
        return replace(self, inner=self.inner.with_progress(report))

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> Choice:
        """Let the inner head select its settings; in each fold the mix of layers is learned from training items.

        Args:
            features: function of (training items, held-out items) that returns the views of both, as a pair.
            target: the labels of the items.
            rng: source of randomness.
        """

        def mixed(training: Rows, held_out: Rows) -> tuple[Views, Views]:
            training_views, held_out_views = features(training, held_out)
            layer_weights = self._layer_weights(training_views, target.take(training))
            return _with_mix(training_views, self.shape, layer_weights), _with_mix(
                held_out_views, self.shape, layer_weights
            )

        return self.inner.choose(mixed, target, rng)

    def learn(self, views: Views, target: Target, choice: Choice, rng: np.random.Generator) -> FittedScalarMix:
        """Learn the mix of layers, if it was selected, and fit the inner head on all of the target's items.

        Args:
            views: name -> features of the target's items.
            target: the labels of these items.
            choice: the settings that `choose` selected.
            rng: passed to the inner head.
        """
        if not choice.view.startswith(MIX):
            return FittedScalarMix(self.inner.learn(views, target, choice, rng), self.shape, None)
        layer_weights = self._layer_weights(views, target)
        return FittedScalarMix(
            self.inner.learn(_with_mix(views, self.shape, layer_weights), target, choice, rng),
            self.shape,
            layer_weights,
        )

    def _layer_weights(self, views: Views, target: Target) -> NDArray[np.float64]:
        """Return the layers' weights, float64 [layers], not negative, summing to 1; equal if nothing can be learned."""
        items = np.arange(min(self.items, len(target)))
        layers, target = np.asarray(views[LAYERS][items]), target.take(items)
        equal = np.full(self.shape[0], 1 / self.shape[0])
        if len(np.unique(np.asarray(target.labels), axis=0)) < 2:  # noqa: PLR2004 - nothing to learn from a single label
            return equal
        from wordworth.representations.heads.fit_layer_weights import fit_layer_weights

        return fit_layer_weights(layers.reshape(len(target), -1, *self.shape), target, self.iterations, self.strength)


@dataclass(frozen=True, slots=True)
class FittedScalarMix:
    """A fitted head that reads a mix of an encoder's layers, or another view (feature set).

    Attributes:
        inner: the head that was fitted on the view.
        shape: number of layers, and width of a layer.
        layer_weights: float64 [layers], the weight of each layer in the mix; None if the head reads another view.
    """

    inner: FittedHead
    shape: tuple[int, int]
    layer_weights: NDArray[np.float64] | None

    @property
    def view(self) -> str:
        """The name of the view (feature set) that the head reads: `layers` if the inner head reads their mix."""
        return self.inner.view if self.layer_weights is None else LAYERS

    @property
    def chosen(self) -> Mapping[str, object]:
        """The settings that the inner head selected and, if it reads the mix of layers, the layers' weights."""
        if self.layer_weights is None:
            return self.inner.chosen
        return {**self.inner.chosen, "shares": [round(float(weight), 4) for weight in self.layer_weights]}

    @property
    def calibration(self) -> Calibration:
        """The temperature and shift by which the head's scores become probabilities."""
        return calibration_of(self.inner)

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        return self.inner.parameters + (0 if self.layer_weights is None else len(self.layer_weights))

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return predictions from the features of the view (feature set) that the head was fitted on.

        Args:
            features: [n, width].
            lengths: for tagging int64 [sentences], the number of words of each sentence; else None.
        """
        if self.layer_weights is not None:
            features = mixed_views(np.asarray(features), self.shape, self.layer_weights)[self.inner.view]
        return self.inner.predict(features, lengths)


def _with_mix(views: Views, shape: tuple[int, int], layer_weights: NDArray[np.float64]) -> Views:
    """Return the views with the mix in place of the view `layers`; a view is computed when it is used.

    Args:
        views: name -> features, among them `layers`.
        shape: number of layers, and width of a layer.
        layer_weights: float64 [number of layers], the weights of the mix.
    """
    mixed = mixed_views(np.asarray(views[LAYERS]), shape, layer_weights)
    others = {view: partial(views.__getitem__, view) for view in views if view != LAYERS}
    return Lazy(others | {view: partial(mixed.__getitem__, view) for view in mixed})


def mixed_views(layers: Floats, shape: tuple[int, int], layer_weights: NDArray[np.float64]) -> Mapping[str, Features]:
    """Return the weighted mean of an encoder's layers as features.

    Args:
        layers: float32 [n, texts * number of layers * width], the layers of each item's one or two texts side by side.
        shape: number of layers, and width of a layer.
        layer_weights: float64 [number of layers], the weights of the mean.

    Returns:
        Name of a view (feature set) -> features: `mix` and, for pairs of texts, `mix-likeness` with the distances
        alone.
    """
    texts = layers.reshape(len(layers), layers.shape[1] // (shape[0] * shape[1]), *shape)
    mix = np.einsum("ntld,l->ntd", texts, layer_weights.astype(np.float32))
    first, second = {MIX: lambda: mix[:, 0]}, {MIX: lambda: mix[:, 1]}
    return Lazy(first if mix.shape[1] == 1 else pair_views(first, second))
