"""Cross-validation inside the training labels: what a head chooses by.

A fold is judged exactly as learning on its training part and answering its held-out part would be: the representation,
the scaling and the head learn from the training part alone (Varma and Simon 2006; Cawley and Talbot 2010 on what
happens otherwise).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.representations import model_selection
from wordworth.representations.heads.base import FoldFeatures, Target, Views, joined
from wordworth.representations.lazy_views import take_rows
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Rows


@dataclass(frozen=True, slots=True)
class Part:
    """Some items: their features and their labels."""

    views: Views
    target: Target


@dataclass(frozen=True, slots=True)
class Fold:
    """One round of cross-validation."""

    training: Part
    held_out: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldPlan:
    """How items are dealt into folds.

    Attributes:
        folds: parts that the items are dealt into, each held out in its turn...
        enough: ...until so many items have been held out: two folds of many labels tell candidates apart.
    """

    folds: int = 5
    enough: int = 1200

    def split(self, target: Target, rng: np.random.Generator) -> list[tuple[Rows, Rows]]:
        """Training and held-out items of each fold; none where there are fewer than two items."""
        if len(target) < 2:  # noqa: PLR2004 - nothing to hold out
            return []
        splits: list[tuple[Rows, Rows]] = []
        held_out, dealt = 0, deal(target, rng, self.folds)
        for fold in range(dealt.max() + 1):
            if held_out < self.enough:
                splits.append((np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)))
                held_out += len(splits[-1][1])
        return splits


def deal(target: Target, rng: np.random.Generator, folds: int) -> Rows:
    """int64 [items]: the fold in which each of the target's items is held out; folds have the same mix of labels.

    Items are sorted by label, ties in random order, and dealt out like cards: rare classes spread over the folds
    without a special case, and a continuous label is stratified by its rank. A single item is all in fold 0.
    """
    order = np.lexsort((rng.random(len(target)), _strata(target)))
    dealt: Rows = np.empty(len(order), dtype=np.int64)
    dealt[order] = np.arange(len(order)) % min(folds, max(len(order), 1))
    return dealt


def _strata(target: Target) -> np.ndarray:
    """A number an item, alike for items of like labels."""
    if isinstance(target.labels, tuple):
        return np.array([len(np.unique(tags)) for tags in target.labels])
    if target.labels.ndim == 1:
        return target.labels
    rarity = np.argsort(np.argsort(-target.labels.sum(0), kind="stable"), kind="stable") + 1
    rarest: np.ndarray = (target.labels * rarity).max(1, initial=0)
    return rarest  # an item counts under its rarest label


def cross_validation(features: FoldFeatures, target: Target, splits: list[tuple[Rows, Rows]]) -> list[Fold]:
    """The folds of some splits."""
    return [
        Fold(Part(seen, target.take(training)), Part(new, target.take(held_out)))
        for training, held_out in splits
        for seen, new in [features(training, held_out)]
    ]


def of_frozen(views: Views, target: Target) -> FoldFeatures:
    """The folds of a representation that learns nothing: rows of the same views."""

    def rows(training: Rows, held_out: Rows) -> tuple[Views, Views]:
        return take_rows(views, target.feature_rows(training)), take_rows(views, target.feature_rows(held_out))

    return rows


def held_out_score(folds: Sequence[Fold], answers: Sequence[Predictions]) -> float:
    """The task's metric of each fold's answers, on the held-out items of all folds together."""
    together: Predictions
    if isinstance(answers[0], tuple):
        together = tuple(tags for of_fold in answers for tags in of_fold)
    else:
        together = np.concatenate(answers)
    return model_selection.score(joined([fold.held_out.target for fold in folds]), together)
