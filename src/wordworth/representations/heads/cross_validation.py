"""Cross-validation inside the training labels, by which a head selects its settings.

The representation, the scaling and the head are fitted on the training part of a fold alone; otherwise held-out scores
would be too high (Varma and Simon 2006; Cawley and Talbot 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import FoldFeatures, Target, Views, concatenate
from wordworth.representations.rung import Predictions
from wordworth.tasks.group_split import balanced_parts
from wordworth.tasks.labels import strata
from wordworth.tasks.task import Rows

Point = TypeVar("Point")


def best(points: Sequence[Point], score: Callable[[Sequence[Point]], Sequence[float]]) -> Point:
    """Return the point with the highest score, or the first of several such points.

    A single point is returned without being scored.

    Args:
        points: the points.
        score: function that returns the score of each point.
    """
    if len(points) == 1:
        return points[0]
    scores = score(points)
    return points[max(range(len(points)), key=scores.__getitem__)]


def smoothed(scores: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Smooth scores along an axis: half of each score plus a quarter of each neighbour's score.

    Neighbouring settings are nearly the same model, and the best of many noisy scores is often the luckiest.

    Args:
        scores: an array of any shape.
        axis: the axis along which neighbouring settings lie.

    Returns:
        An array of that shape.
    """
    along = np.moveaxis(scores, axis, 0)
    lower, higher = np.concatenate([along[:1], along[:-1]]), np.concatenate([along[1:], along[-1:]])
    return np.moveaxis(lower / 4 + along / 2 + higher / 4, 0, axis)


@dataclass(frozen=True, slots=True)
class Part:
    """The training items or the held-out items of a fold: their views (name -> features) and their labels."""

    views: Views
    target: Target


@dataclass(frozen=True, slots=True)
class Fold:
    """One round of cross-validation: the items that are trained on, and the items that are held out."""

    training: Part
    held_out: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldPlan:
    """The number of cross-validation folds, and how often items are divided into them.

    Attributes:
        folds: maximum number of folds.
        enough: the cross-validation ends early once this many items have been held out, since with many labels two
            folds suffice to compare settings. If items are in groups, every fold is held out, as each has few groups.
        repeats: maximum number of divisions into folds. Within this maximum, fewer than `enough` items are divided
            `enough` / (number of items) times, rounded down, since the score of a setting also depends on the division
            (repeated cross-validation, Kim 2009, https://doi.org/10.1016/j.csda.2009.04.009).
    """

    folds: int = 5
    enough: int = 1200
    repeats: int = 1

    def split(self, target: Target, rng: np.random.Generator) -> list[tuple[Rows, Rows]]:
        """Divide items into folds; return an empty list for fewer than two items or groups.

        Args:
            target: the labels of the items.
            rng: source of randomness.

        Returns:
            For each fold (training items, held-out items), int64 [n] each.
        """
        if len(target) < 2 or _in_one_group(target):  # noqa: PLR2004 - nothing to hold out
            return []
        splits: list[tuple[Rows, Rows]] = []
        held_out, fold_of = 0, assign_folds(target, rng, self.folds)
        for fold in range(fold_of.max() + 1):
            if held_out < self.enough or target.groups is not None:
                splits.append((np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)))
                held_out += len(splits[-1][1])
        return splits

    def divisions(self, target: Target, rng: np.random.Generator) -> list[list[tuple[Rows, Rows]]]:
        """Divide items into folds once or, if they are few, several times.

        Args:
            target: the labels of the items, at least one.
            rng: source of randomness.

        Returns:
            For each division what `split` returns: for each fold (training items, held-out items), int64 [n] each.
        """
        return [self.split(target, rng) for _ in range(self._num_divisions(len(target)))]

    def num_fits(self, items: int, *, grouped: bool = False) -> int:
        """Return how often a search fits one setting: the number of folds of all divisions of so many items.

        Args:
            items: number of items.
            grouped: whether the items are in groups, at least as many as there are folds.
        """
        count = min(self.folds, items) if items > 1 else 0
        if not grouped:  # `split` ends once enough items have been held out
            sizes = [len(range(fold, items, count)) for fold in range(count)]
            count = sum(sum(sizes[:fold]) < self.enough for fold in range(count))
        return self._num_divisions(items) * count

    def _num_divisions(self, items: int) -> int:
        return min(self.repeats, max(self.enough // max(items, 1), 1))


def assign_folds(target: Target, rng: np.random.Generator, folds: int) -> Rows:
    """Return the index of the fold in which each item is held out, int64 [items], stratified by label.

    Items are sorted by label, ties in random order, and dealt out in turn: this spreads rare classes over the folds,
    and stratifies a continuous label by its rank. Items in groups are held out with their whole group.

    Args:
        target: the labels of the items.
        rng: source of randomness.
        folds: number of folds.
    """
    if target.groups is not None:
        count = min(folds, len(np.unique(target.groups)))
        return balanced_parts(target.groups, strata(target.labels), [1 / count] * count, rng)
    order = np.lexsort((rng.random(len(target)), _strata(target)))
    fold_of: Rows = np.empty(len(order), dtype=np.int64)
    fold_of[order] = np.arange(len(order)) % min(folds, max(len(order), 1))
    return fold_of


def split_off(target: Target, rng: np.random.Generator, part: int) -> tuple[Rows, Rows]:
    """Hold out a random part of the items; return (training items, held-out items), ascending.

    If items are in groups, whole groups are held out; no item is held out if all items are of one group.

    Args:
        target: the labels of the items.
        rng: source of randomness.
        part: one item in `part` is held out; 0 holds out nothing.

    Returns:
        (training items, held-out items), int64 [n] each.
    """
    if not part or _in_one_group(target):
        return np.arange(len(target)), np.zeros(0, dtype=np.int64)
    if target.groups is not None:
        held_out = assign_folds(target, rng, part) == 0
        return np.flatnonzero(~held_out), np.flatnonzero(held_out)
    order, count = rng.permutation(len(target)), len(target) // part
    return np.sort(order[count:]), np.sort(order[:count])


def _in_one_group(target: Target) -> bool:
    return target.groups is not None and len(np.unique(target.groups)) < 2  # noqa: PLR2004 - one or none


def _strata(target: Target) -> np.ndarray:
    """Return the stratum of each item: its class, value or rarest label; for tagging its number of different tags."""
    if isinstance(target.labels, tuple):
        return np.array([len(np.unique(tags)) for tags in target.labels])
    if target.labels.ndim == 1:
        return target.labels
    rarity = np.argsort(np.argsort(-target.labels.sum(0), kind="stable"), kind="stable") + 1
    rarest: np.ndarray = (target.labels * rarity).max(1, initial=0)
    return rarest


def cross_validation(features: FoldFeatures, target: Target, splits: list[tuple[Rows, Rows]]) -> list[Fold]:
    """Return the folds of a cross-validation, with the views and labels of their items.

    Args:
        features: function of (training items, held-out items) that returns the views of both, as a pair.
        target: the labels of the items.
        splits: (training items, held-out items) of each fold, int64 [n] each.
    """
    return [
        Fold(Part(training_views, target.take(training)), Part(held_out_views, target.take(held_out)))
        for training, held_out in splits
        for training_views, held_out_views in [features(training, held_out)]
    ]


def held_out_score(folds: Sequence[Fold], predictions: Sequence[Predictions]) -> float:
    """Return the task's metric on the held-out items of all folds together, from the predictions of each fold."""
    together: Predictions
    if isinstance(predictions[0], tuple):
        together = tuple(tags for of_fold in predictions for tags in of_fold)
    else:
        together = np.concatenate(predictions)
    return concatenate([fold.held_out.target for fold in folds]).score(together)
