"""The tables of a `patterns` record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval, share_draws
from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.records import Table
from wordworth.studies.attention_patterns.attention_gradients import TARGETS
from wordworth.studies.attention_patterns.head_attention_sums import MEASURES, REACH, HeadSums, contrast_of, layer_means
from wordworth.studies.attention_patterns.head_distances import classical_mds, layer_p_value
from wordworth.studies.attention_patterns.head_types import (
    OTHER,
    TYPES,
    layer_interval,
    type_counts,
    type_intervals,
    types_of,
)

_MEANINGS = {
    "entropy": "mean entropy of its attention, in nats",
    "entropy_first": "entropy of its attention from the first token, in nats",
    "first": "mean attention to the first token, a share of 1, so the next ones",
    "separator": "to separators such as [SEP]",
    "special": "to the first token and all special tokens",
    "punctuation": "to periods and commas",
    "self": "to the token itself",
    "previous": "to the previous token",
    "next": "to the next token",
    "positional_previous": "share of tokens whose most attended token, special ones aside, is the previous one",
    "positional_next": "the same of the next one",
}
HEADS = {
    "layer": "layer, from 1",
    "head": "number of the head in its layer, from 1, as in the model before any was pruned",
    "type": "previous or next: mean attention to it above 0.5; special: to special tokens above 0.6; broad: "
    "entropy above 78 % of that of uniform attention (3.8 nats of 128 tokens); other: none of them",
    **_MEANINGS,
    "offset": f"offset of most attention, in tokens, at most {REACH}",
    "offset_attention": "mean attention there",
    **{f"gradient_{name}": f"mean |gradient of the loss by attention| to {name} tokens" for name in TARGETS},
    "x": "position in the plane of divergences",
    "y": "position in the plane of divergences",
}
LAYERS = {
    "layer": "layer, from 1",
    **{
        key: text
        for name, about in _MEANINGS.items()
        for key, text in (
            (name, f"{about}; mean over the layer's heads"),
            (f"{name}_low", "of its 95 % interval, over texts"),
            (f"{name}_high", "of its 95 % interval"),
            (f"random_{name}", "the same of an encoder with random weights"),
        )
    },
    **{
        key: text
        for name in TARGETS
        for key, text in (
            (f"gradient_{name}", f"mean |gradient of the loss by attention| to {name} tokens"),
            (f"random_gradient_{name}", "the same of an encoder with random weights"),
        )
    },
}
KINDS = {
    "type": "type of heads, as in the table heads",
    "heads": "number of heads of this type",
    "low": "of its 95 % interval, over texts",
    "high": "of its 95 % interval",
    "random": "number in an encoder with random weights, mean of several encoders",
    "random_least": "the least of them",
    "random_most": "the most of them",
}
DISTANCES = {
    "model": "trained, or random weights",
    "within": "mean Jensen-Shannon divergence of two heads of one layer, in nats a token; at most ln 2",
    "between": "the same of two heads of different layers",
    "gap": "between less within",
    "low": "of the gap's 95 % interval, over texts",
    "high": "of the gap's 95 % interval",
    "p": "p-value of heads of one layer being no closer, over permutations of heads",
    "kept": "share of the squared distances that the plane keeps",
}
_PERMUTATIONS = 9_999


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of the attention of one encoder.

    Attributes:
        sums: statistics of the encoder's attention, by segment.
        text: int64 [segments], a number that identifies the text of each segment.
        gradients: float64 [kinds, heads], mean absolute gradient of the loss with respect to the attention to each kind
            of token (`TARGETS`).
        types: empty for the studied model. For random weights, the number of heads of each of `TYPES` and, last, of
            `OTHER`, int64 [types + 1]: once for this encoder, then for encoders whose weights have other seeds.
    """

    sums: HeadSums
    text: Integers
    gradients: Floats
    types: tuple[Integers, ...] = ()


def tables_of(own: Measured, random: Measured, draws: int, seed: int) -> dict[str, Table]:
    """Return the tables of a `patterns` record by name.

    Args:
        own: measurements of the studied model.
        random: measurements of an encoder with random weights.
        draws: number of bootstrap resamples of texts.
        seed: seed of the resamples and permutations.
    """
    return {
        "types": Table.of(_types(own, random, draws, seed), KINDS),
        "layers": Table.of(_layers(own, random, draws, seed), LAYERS),
        "heads": Table.of(_heads(own), HEADS),
        "distances": Table.of(
            [_distances("trained", own, draws, seed), _distances("random weights", random, draws, seed)], DISTANCES
        ),
    }


def _types(own: Measured, random: Measured, draws: int, seed: int) -> list[dict[str, Any]]:
    ends = type_intervals(own.sums, own.text, draws, seeds.child_seed(seed, "patterns", "types"))
    heads, untrained = type_counts(types_of(own.sums)), np.stack(random.types)
    return [
        {
            "type": name,
            "heads": int(heads[number]),
            **ends[number].columns(),
            "random": float(untrained[:, number].mean()),
            "random_least": int(untrained[:, number].min()),
            "random_most": int(untrained[:, number].max()),
        }
        for number, name in enumerate((*TYPES, OTHER))
    ]


def _layers(own: Measured, random: Measured, draws: int, seed: int) -> list[dict[str, Any]]:
    columns: dict[str, Any] = {}
    for name in MEASURES:
        ends = layer_interval(own.sums, name, own.text, draws, seeds.child_seed(seed, "patterns", name))
        columns[name] = layer_means(own.sums.means[name], own.sums.layers)
        columns |= {f"{name}_low": [each.low for each in ends], f"{name}_high": [each.high for each in ends]}
        columns[f"random_{name}"] = layer_means(random.sums.means[name], own.sums.layers)
    for row, name in enumerate(TARGETS):
        columns[f"gradient_{name}"] = layer_means(own.gradients[row], own.sums.layers)
        columns[f"random_gradient_{name}"] = layer_means(random.gradients[row], own.sums.layers)
    layers = len(columns["entropy"])
    return [
        {"layer": layer + 1, **{name: float(values[layer]) for name, values in columns.items()}}
        for layer in range(layers)
    ]


def _heads(own: Measured) -> list[dict[str, Any]]:
    sums, types, plane = own.sums, types_of(own.sums), classical_mds(own.sums.divergences)
    columns: Mapping[str, Floats] = {
        **sums.means,
        "offset": (sums.offsets.argmax(1) - REACH).astype(np.float64),
        "offset_attention": sums.offsets.max(1),
        **{f"gradient_{name}": own.gradients[row] for row, name in enumerate(TARGETS)},
        "x": plane.points[:, 0],
        "y": plane.points[:, 1],
    }
    return [
        {
            "layer": layer + 1,
            "head": head + 1,
            "type": (*TYPES, OTHER)[types[number]],
            **{name: float(values[number]) for name, values in columns.items()},
        }
        | {"offset": int(columns["offset"][number])}
        for number, (layer, head) in enumerate(sums.heads)
    ]


def _distances(name: str, of: Measured, draws: int, seed: int) -> dict[str, Any]:
    rng = seeds.child(seed, "patterns", "distances", name)
    within, between = contrast_of(of.sums)
    gaps = of.sums.contrasts[:, 1:] - of.sums.contrasts[:, :1]
    tokens = of.sums.counts[:, 0]
    drawn = share_draws(gaps, tokens, of.text, draws, rng)[:, 0]
    p = layer_p_value(of.sums.divergences, of.sums.layers, _PERMUTATIONS, rng)
    kept = classical_mds(of.sums.divergences).kept_share
    gap = between - within
    return {
        "model": name,
        "within": within,
        "between": between,
        "gap": gap,
        **interval(drawn).columns(),
        "p": p,
        "kept": kept,
    }
