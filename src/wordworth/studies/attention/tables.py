"""The tables of the study `attention`: measures of every head, and the attention that each token receives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth.measures.attention_maps import (
    AttentionMaps,
    Weights,
    entropies,
    mass,
    offset_share,
    received,
    row_divergences,
)
from wordworth.measures.weighted_sums import Flags, Floats, floats, ratio
from wordworth.record_json_values import finite_or_none
from wordworth.records import Table
from wordworth.studies.attention.random_weights_control import control_table

HEADS = {
    "model": "name of the model",
    "layer": "from 1",
    "head": "from 1, in its layer, as in the model before any was pruned",
    "entropy": "mean entropy of attention in nats, over tokens that are not special; at most ln of the tokens",
    "special": "share of these tokens' attention that goes to special tokens; null without special tokens",
    "top": "the token that receives most of their attention",
    "top_share": "its share",
    "self": "mean attention of a token to itself, special tokens included, so for the next two",
    "previous": "mean attention to the token before",
    "next": "mean attention to the token after",
    "across": "share of attention to tokens of the other text that are not special; null for one text",
    "difference": "Jensen-Shannon divergence from the same head of the other model, mean over rows, in nats; null for "
    "one model, where tokens differ, or where only one of them has the head",
}
TOKENS = {
    "model": "name of the model",
    "position": "from 1",
    "token": "as it is written",
    "special": "whether it is a special token",
    "received": "mean attention to it from tokens that are not special, over all heads",
    "random": "the same from heads of the same shape with random weights; null but for the first model, and for arrays",
}


def tables_of(models: Sequence[AttentionMaps], random: Mapping[str, Table] | None = None) -> dict[str, Table]:
    """Return the tables `heads` and `tokens` of attention maps by name, and the table `control` if `random` is given.

    Args:
        models: the maps of one model or two, between words or tokens, as the settings say.
        random: the tables of a model with the shape of the first model and random weights; None to leave `control` out.
    """
    differences, heads, tokens = _differences(models), list[dict[str, Any]](), list[dict[str, Any]]()
    for maps in models:
        of_tokens = _received(maps)
        heads += _head_rows(maps, of_tokens, differences)
        tokens += _token_rows(maps, of_tokens, random if maps is models[0] else None)
    tables = {"heads": Table.of(heads, HEADS), "tokens": Table.of(tokens, TOKENS)}
    if random is None:
        return tables
    first = [row for row in heads if row["model"] == models[0].name]
    return tables | {"control": control_table(first, random["heads"].rows())}


def attending(maps: AttentionMaps) -> Flags:
    """Return which tokens' attention is measured, bool [tokens]: all but special tokens, or all if all are special."""
    return ~maps.special if (~maps.special).any() else np.ones_like(maps.special)


def across_texts(maps: AttentionMaps) -> Floats | None:
    """Return the share of each head's attention that crosses between the two texts, float64 [layers, heads].

    The result is None for the maps of a single text.
    """
    if maps.second is None:
        return None
    in_second, words = np.arange(len(maps.tokens)) >= maps.second, attending(maps)
    crossing = np.logical_xor.outer(in_second, in_second) & ~np.logical_or.outer(maps.special, maps.special)

    def share(layer: Weights) -> Floats:
        whole = layer[:, words].sum((-2, -1), dtype=np.float64)
        return ratio((layer * crossing).sum((-2, -1), dtype=np.float64), whole, otherwise=np.nan)

    return maps.by_layer(share)


def _differences(models: Sequence[AttentionMaps]) -> Floats | None:
    """Return the Jensen-Shannon divergence of two models' heads, in nats, float64 [layers, heads].

    The result is None if the models cannot be compared. A divergence is NaN if the head was pruned from one of them.
    """
    if len(models) < 2 or models[0].tokens != models[1].tokens or models[0].shape != models[1].shape:  # noqa: PLR2004
        return None
    differences = np.full(models[0].shape, np.nan)
    for layer, (first, second) in enumerate(zip(models[0].weights, models[1].weights, strict=True)):
        both = first.any((-2, -1)) & second.any((-2, -1))
        differences[layer, both] = row_divergences(first[both], second[both])
    return floats(differences)


def _received(maps: AttentionMaps) -> Floats:
    """Return the mean attention that each token receives from `attending` tokens, float64 [layers, heads, tokens]."""
    rows = attending(maps)
    return maps.by_layer(lambda layer: received(layer[:, rows]))


def _head_rows(maps: AttentionMaps, of_tokens: Floats, differences: Floats | None) -> list[dict[str, Any]]:
    rows = attending(maps)
    figures: dict[str, Floats | None] = {
        "entropy": maps.by_layer(lambda layer: floats(entropies(layer)[:, rows].mean(-1))),
        "special": maps.by_layer(lambda layer: mass(layer, rows, maps.special)) if maps.special.any() else None,
        "self": maps.by_layer(lambda layer: offset_share(layer, 0)),
        "previous": maps.by_layer(lambda layer: offset_share(layer, -1)),
        "next": maps.by_layer(lambda layer: offset_share(layer, 1)),
        "across": across_texts(maps),
    }
    return [
        {
            "model": maps.name,
            "layer": layer + 1,
            "head": head + 1,
            "top": maps.tokens[int(of_tokens[layer, head].argmax())],
            "top_share": float(of_tokens[layer, head].max()),
            **{name: None if values is None else float(values[layer, head]) for name, values in figures.items()},
            "difference": None if differences is None else finite_or_none(differences[layer, head]),
        }
        for layer, head in np.argwhere(maps.present).tolist()
    ]


def _token_rows(maps: AttentionMaps, of_tokens: Floats, random: Mapping[str, Table] | None) -> list[dict[str, Any]]:
    means = of_tokens[maps.present].mean(0)
    controls = [None] * len(means) if random is None else [row["received"] for row in random["tokens"].rows()]
    return [
        {
            "model": maps.name,
            "position": at + 1,
            "token": token,
            "special": bool(maps.special[at]),
            "received": float(means[at]),
            "random": controls[at],
        }
        for at, token in enumerate(maps.tokens)
    ]
