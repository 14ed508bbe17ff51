"""Changes of the score by ablating heads; heads are chosen on one half of the rows, changes measured on the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.inference.head_importance import HeadImportance
from wordworth.measures.paired_changes import Change
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.heads.ablation import ABLATIONS, AblatedModel, Ablation, HeadSet
from wordworth.studies.heads.half_of_rows import Half
from wordworth.studies.heads.pruning_curves import Curve, all_but_best_head, curve, most_within, orders

CHOSEN = "importance"
"""Name of the order of pruning that decides how many heads can go, and which."""


@dataclass(frozen=True, slots=True)
class Measurements:
    """Changes of the score by ablating attention heads.

    A change is the score after ablation minus the whole model's score. Changes are measured on one half of the rows;
    choices, such as the order of pruning, are made on the other half.

    Attributes:
        heads: kind of ablation -> (layer, head) -> change of the score if that head alone is ablated.
        layers: kind of ablation -> for each layer the change of the score if all heads of the layer are ablated.
        kept_one: for each layer its best head, and the change of the score if all other heads of the layer are ablated.
            The best head is the one with which, as the layer's only head, the model scores best on the half for
            choices.
        curves: name of the order of pruning -> its pruning curve.
        order: the heads, the least important first.
        num_within_margin: largest number of heads, taken from the beginning of `order`, whose ablation lowers the score
            on the half for choices by at most the margin (the loss that the user accepts).
        pruned: the change of the score if these `num_within_margin` heads are ablated.
    """

    heads: Mapping[Ablation, Mapping[tuple[int, int], Change]]
    layers: Mapping[Ablation, tuple[Change, ...]]
    kept_one: tuple[tuple[int, Change], ...]
    curves: Mapping[str, Curve]
    order: tuple[tuple[int, int], ...]
    num_within_margin: int
    pruned: Change


def predictions_needed(shape: tuple[int, int], curves: int, points: int) -> tuple[int, int]:
    """Return how many times the model predicts the half of the rows for choices, and how many times the other half.

    The other half is the half for measurements.

    Args:
        shape: number of layers, and of heads in a layer.
        curves: number of orders of pruning.
        points: number of points of a pruning curve.
    """
    layers, heads = shape[0], shape[0] * shape[1]
    return 2 * heads + points, len(ABLATIONS) * (heads + layers) + layers + curves * points + 1


def measure(
    model: AblatedModel, halves: tuple[Half, Half], ranking: tuple[HeadImportance, Floats], margin: float, seed: int
) -> Measurements:
    """Measure the ablation of each head, of each layer, of all heads of a layer but one, and the pruning curves.

    Args:
        model: the model whose heads are ablated.
        halves: the half of the rows on which choices are made, and the half on which changes are measured.
        ranking: the importance of each head, and the probability that each head's gate is open, [layers, heads]; both
            from the half for choices.
        margin: the largest loss of score that pruning may cost, on the metric's scale.
        seed: seed of the random orders.
    """
    choosing, measuring = halves
    single: dict[Ablation, dict[tuple[int, int], Change]] = {ablation: {} for ablation in ABLATIONS}
    layers: dict[Ablation, list[Change]] = {ablation: [] for ablation in ABLATIONS}
    kept_one, alone = [], np.zeros(model.shape)
    for layer in range(model.shape[0]):  # what lies below is the same for every head of a layer
        heads = [(layer, head) for head in range(model.shape[1])]
        others = all_but_best_head(model, choosing, heads)
        chooser = model.from_layer(layer, choosing.examples)
        alone[layer] = [choosing.change(chooser, [head]).value for head in heads]
        upper = model.from_layer(layer, measuring.examples)
        for ablation in ABLATIONS:
            single[ablation] |= {head: measuring.change(upper, [head], ablation) for head in heads}
            layers[ablation].append(measuring.change(upper, heads, ablation))
        kept_one.append(_kept_head(heads, others, measuring.change(upper, others)))
    named = orders(*ranking, alone, seeds.child_seed(seed, "heads", "orders"))
    curves = {name: curve(model, measuring, order, name) for name, order in named.items()}
    order = named[CHOSEN]
    num_within_margin = most_within(curve(model, choosing, order, CHOSEN), margin)
    pruned = measuring.change(model, order[:num_within_margin])
    of_layers = {ablation: tuple(changes) for ablation, changes in layers.items()}
    return Measurements(single, of_layers, tuple(kept_one), curves, tuple(order), num_within_margin, pruned)


def _kept_head(heads: list[tuple[int, int]], ablated: HeadSet, change: Change) -> tuple[int, Change]:
    ((_, head),) = set(heads) - set(ablated)
    return head, change
