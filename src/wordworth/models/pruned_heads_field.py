"""The field `pruned_heads` of a `config.json`: which attention heads were removed from a model.

transformers 4 wrote and read the same field, layer -> heads. transformers 5 ignores it, and then refuses the weights,
whose shapes do not fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.models.encoder_base import EncoderConfig
from wordworth.models.transformer_config import TransformerConfig

FIELD = "pruned_heads"


def with_pruned_heads(config: EncoderConfig, raw: Mapping[str, Any], where: str) -> EncoderConfig:
    """Return a config without the attention heads that a `config.json` lists as removed.

    Args:
        config: the config of the model with all its heads.
        raw: the content of `config.json` by field.
        where: path of the `config.json`, for messages.

    Raises:
        BadInput: the list has heads that the model does not have, or every head of a layer.
    """
    pruned = raw.get(FIELD)
    if not pruned or not isinstance(config, TransformerConfig):
        return config
    layers = range(config.num_layers)
    if not isinstance(pruned, Mapping) or not pruned.keys() <= set(map(str, layers)):
        what = f"{FIELD!r} is {str(pruned)!r:.40}, not layer -> heads of a model of {config.num_layers} layers"
        raise BadInput(what, where=where, mend=FETCH_AGAIN)
    try:
        heads = tuple(tuple(sorted(set(map(int, pruned.get(str(layer), ()))))) for layer in layers)
        return replace(config, pruned_heads=heads)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInput(f"invalid {FIELD!r}: {error}", where=where, mend=FETCH_AGAIN) from error


def pruned_fields(config: EncoderConfig) -> dict[str, Any]:
    """Return the fields of `config.json` that list the removed attention heads; empty if no head was removed."""
    if not isinstance(config, TransformerConfig) or not any(config.pruned_heads):
        return {}
    return {FIELD: {str(layer): list(heads) for layer, heads in enumerate(config.pruned_heads) if heads}}
