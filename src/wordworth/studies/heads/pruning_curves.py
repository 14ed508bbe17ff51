"""Pruning curves: the change of a fine-tuned model's score as more and more heads are ablated, in several orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.inference.head_importance import HeadImportance, ascending, pruning_order
from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.paired_changes import Change, is_within
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.heads.ablation import AblatedModel, HeadSet
from wordworth.studies.heads.half_of_rows import Half

SHARES = tuple(tenths / 10 for tenths in range(1, 10))
"""Shares of all heads that are pruned; each layer keeps at least one head, so that the largest may not be reached."""
RANDOM_ORDERS = 5
Order = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Curve:
    """Changes of the score along one order of pruning.

    Attributes:
        name: name of the order: `importance`, `by position`, `gates`, `by ablation`, `reverse`, `random 1` and so on.
        pruned: number of heads pruned at each point.
        changes: at each point the score minus the whole model's score.
    """

    name: str
    pruned: tuple[int, ...]
    changes: tuple[Change, ...]

    @property
    def area(self) -> Change:
        """The mean change of the score over the points of the pruning curve, compared with the whole model's score."""
        draws = np.mean([change.draws for change in self.changes], axis=0)
        return Change(float(np.mean([change.value for change in self.changes])), draws)


def orders(importance: HeadImportance, gates: Floats, alone: Floats, seed: int) -> dict[str, Order]:
    """Return the orders in which heads are pruned, by name.

    `importance`, `by position`, `gates` and `by ablation` each prune the least important heads first, by different
    measures of importance. `reverse` prunes the most important first. The `random` ones are controls.

    Args:
        importance: importance of each head.
        gates: float64 [layers, heads], the probability that each head's gate is open.
        alone: float64 [layers, heads], the change of the score if that head alone is ablated; `by ablation` prunes the
            head with the highest (least negative) change first.
        seed: seed of the random orders.
    """
    by_example = importance.by_example
    random = {
        f"random {number}": pruning_order(seeds.child(seed, "heads", "order", number).random(by_example.shape))
        for number in range(1, RANDOM_ORDERS + 1)
    }
    return {
        "importance": pruning_order(by_example),
        "by position": pruning_order(importance.by_position),
        "gates": ascending(gates),
        "by ablation": ascending(-alone),
        "reverse": pruning_order(by_example, reverse=True),
        **random,
    }


def numbers_pruned(heads: int, most: int) -> tuple[int, ...]:
    """Return how many heads are pruned at each point of a pruning curve, ascending.

    The numbers are the shares of all heads in `SHARES`, up to `most`.

    Args:
        heads: number of heads of the model.
        most: largest number of heads that can be pruned.
    """
    return tuple(sorted({min(round(share * heads), most) for share in SHARES} - {0}))


def curve(model: AblatedModel, half: Half, order: Order, name: str) -> Curve:
    """Return the pruning curve of one order: the change of the score as more and more heads are ablated.

    Args:
        model: the model whose heads are ablated.
        half: the rows that are predicted.
        order: heads as (layer, head), in the order in which they are pruned.
        name: name of the order.
    """
    pruned = numbers_pruned(model.shape[0] * model.shape[1], len(order))
    return Curve(name, pruned, tuple(half.change(model, order[:number]) for number in pruned))


def most_within(curve: Curve, margin: float) -> int:
    """Return the largest number of pruned heads at which the score falls by at most the margin.

    The number is 0 if the score falls by more at every point of the curve.

    Args:
        curve: the pruning curve, measured on the half of the rows on which choices are made.
        margin: the largest loss allowed, on the metric's scale.
    """
    pairs = zip(curve.pruned, curve.changes, strict=True)
    return max((number for number, change in pairs if is_within(change.value, margin)), default=0)


def lead_over(curve: Curve, others: Sequence[Curve]) -> tuple[float, Interval]:
    """Return the area under a pruning curve minus the mean area under other curves, and its 95 % interval over rows.

    The area is the mean change of the score over the points of a curve.

    Args:
        curve: the pruning curve.
        others: the curves that it is compared with.
    """
    rest = np.mean([other.area.draws for other in others], axis=0)
    value = curve.area.value - float(np.mean([other.area.value for other in others]))
    return value, interval(curve.area.draws - rest)


def all_but_best_head(model: AblatedModel, half: Half, heads: Sequence[tuple[int, int]]) -> HeadSet:
    """Return all heads of a layer but one: the head with which the model scores highest if the layer has no other head.

    Args:
        model: the model whose heads are ablated.
        half: the rows that are predicted.
        heads: all heads of one layer, as (layer, head).
    """
    upper = model.from_layer(heads[0][0], half.examples)
    others = [[head for head in heads if head != kept] for kept in heads]
    return max(others, key=lambda ablated: half.change(upper, ablated).value)
