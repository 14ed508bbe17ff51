"""What ablating heads does to a fine-tuned model: chosen on one half of the rows, measured on the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wordworth import seeds
from wordworth.inference.head_importance import HeadImportance
from wordworth.measures.paired_changes import Change
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.heads.ablation import ABLATIONS, AblatedModel, Ablation, HeadSet
from wordworth.studies.heads.half import Half
from wordworth.studies.heads.pruning_curves import Curve, best_single_heads, curve, most_within, orders

CHOSEN = "importance"
"""The order in which heads are pruned where one order is meant."""


@dataclass(frozen=True, slots=True)
class Measurements:
    """What ablating heads changes in the score, on the half that did not choose.

    Attributes:
        heads: ablation -> (layer, head) -> the change where that head alone is ablated.
        layers: ablation -> the change for each layer where all its heads are ablated.
        kept_one: for each layer the head that is kept, and the change without the layer's other heads.
        curves: name of the order -> the curve.
        order: the heads in order of importance.
        within: how many of them can go within the margin, on the half that chooses.
        pruned: the change without those heads.
    """

    heads: Mapping[Ablation, Mapping[tuple[int, int], Change]]
    layers: Mapping[Ablation, tuple[Change, ...]]
    kept_one: tuple[tuple[int, Change], ...]
    curves: Mapping[str, Curve]
    order: tuple[tuple[int, int], ...]
    within: int
    pruned: Change


def predictions_needed(shape: tuple[int, int], curves: int, points: int) -> tuple[int, int]:
    """Return how often each half is predicted, (choosing, measuring).

    Args:
        shape: numbers of layers and of heads in a layer.
        curves: number of orders of pruning.
        points: number of points of a curve.
    """
    layers, heads = shape[0], shape[0] * shape[1]
    return heads + points, len(ABLATIONS) * (heads + layers) + layers + curves * points + 1


def measure(
    model: AblatedModel, halves: tuple[Half, Half], ranking: tuple[HeadImportance, Floats], margin: float, seed: int
) -> Measurements:
    """Measure single heads, whole layers, one head kept a layer, and pruning curves.

    Args:
        model: the model.
        halves: the half that chooses, and the half that measures.
        ranking: of each head its importance and the probability that its gate is open, on the half that chooses.
        margin: the loss that pruning may cost, on the metric's scale.
        seed: of the random orders.
    """
    choosing, measuring = halves
    every = model.all_heads()
    single = {ablation: {head: measuring.change(model, [head], ablation) for head in every} for ablation in ABLATIONS}
    of_layer = [[head for head in every if head[0] == layer] for layer in range(model.shape[0])]
    layers = {ablation: tuple(measuring.change(model, heads, ablation) for heads in of_layer) for ablation in ABLATIONS}
    ablated = best_single_heads(model, choosing)
    kept_one = tuple(
        _kept_head(heads, others, measuring.change(model, others))
        for heads, others in zip(of_layer, ablated, strict=True)
    )
    named = orders(*ranking, seeds.child_seed(seed, "heads", "orders"))
    curves = {name: curve(model, measuring, order, name) for name, order in named.items()}
    order = named[CHOSEN]
    within = most_within(curve(model, choosing, order, CHOSEN), margin)
    pruned = measuring.change(model, order[:within])
    return Measurements(single, layers, kept_one, curves, tuple(order), within, pruned)


def _kept_head(heads: list[tuple[int, int]], ablated: HeadSet, change: Change) -> tuple[int, Change]:
    ((_, head),) = set(heads) - set(ablated)
    return head, change
