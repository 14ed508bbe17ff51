"""Smaller transformers: attention heads removed or set to zero, layers dropped from the top.

`without_heads` removes the weights of heads (Michel et al. 2019, arXiv 1905.10650, section 2.3). The outputs are the
same as with `head_scale` 0 for these heads, but take less time. Each removed head saves 4·d·d_h + 3·d_h parameters,
where d is the hidden size and d_h the head size: the maps of queries, keys and values with their biases, and the
columns of the output map. `with_zero_heads` keeps all shapes, so that every library loads the weights.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.models.encoder_base import Encoder
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import Transformer
from wordworth.models.transformer_config import TransformerConfig
from wordworth.sentence_formatting import count_of

_TRANSFORMER = (
    "name a transformer, such as minilm; of a static table ask wordworth study words, of any other encoder study "
    "context and study similarity"
)
_WHOLE = (
    "name the model that it was made from; wordworth study attention, patterns, relations, neighbours and similarity "
    "read this one as it is"
)
Heads = Sequence[tuple[int, int]]
"""Attention heads as (layer, head), both from 0."""


class ModelSize(NamedTuple):
    """The numbers of attention heads, of layers and of parameters of an encoder."""

    heads: int
    layers: int
    parameters: int


def size_of(model: Encoder) -> ModelSize:
    """Return the size of a model, whose heads may be pruned; a model without attention has 0 heads."""
    layers = range(model.depth)
    heads = sum(len(model.config.kept_heads(layer)) for layer in layers) if isinstance(model, Transformer) else 0
    return ModelSize(heads, len(layers), sum(parameter.numel() for parameter in model.parameters()))


def weight_bytes(model: Encoder, dtype: Dtype = "float32") -> int:
    """Return the size of a model's weights in bytes, if they are stored in a dtype.

    Args:
        model: the model.
        dtype: dtype of the weights. With int8, the linear maps of the layers have a byte for each weight and a float32
            scale for each row, and all other weights are float32.
    """
    numbers = size_of(model).parameters
    if dtype != "int8":
        return numbers * (2 if dtype == "bfloat16" else 4)
    layers = model.body.get_submodule("layers")
    maps = [module.weight for module in layers.modules() if isinstance(module, nn.Linear)]
    return 4 * numbers - sum(3 * weight.numel() - 4 * len(weight) for weight in maps)


def require_heads(model: Encoder, name: str) -> Transformer:
    """Return the model as a transformer, after checking that it has attention heads; some may be pruned.

    Args:
        model: the encoder.
        name: name of the encoder, for the error message.

    Raises:
        BadInput: the model has no attention heads.
    """
    if not isinstance(model, Transformer):
        raise BadInput("this model has no attention heads", where=name, mend=_TRANSFORMER)
    return model


def heads_of(model: Encoder) -> tuple[tuple[int, int], ...]:
    """Return the heads that a transformer has, as (layer, head) from 0, layer by layer.

    Heads keep the numbers that they had before any head was pruned.

    Args:
        model: a transformer, some of whose heads may be pruned.

    Raises:
        BadInput: the model has no attention heads.
    """
    config = require_heads(model, "model").config
    return tuple((layer, head) for layer in range(config.num_layers) for head in config.kept_heads(layer))


def require_all_heads(model: Encoder, name: str) -> Transformer:
    """Return the model as a transformer, after checking that it has all of its attention heads.

    Args:
        model: the encoder.
        name: name of the encoder, for the error message.

    Raises:
        BadInput: the model has no attention heads, or some were pruned.
    """
    transformer = require_heads(model, name)
    if any(transformer.config.pruned_heads):
        raise BadInput("some heads of this model are pruned already", where=name, mend=_WHOLE)
    return transformer


def load_with_heads(name: str) -> TextEncoder:
    """Load a transformer by its name, folder or hub name, to read its attention heads, some of which may be pruned.

    Raises:
        BadInput: there is no such model, or it has no attention heads.
    """
    encoder = load(name, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        raise BadInput("this model has no attention heads", where=name, mend=_TRANSFORMER)
    require_heads(encoder.model, name)
    return encoder


def without_heads(model: Transformer, heads: Heads) -> Transformer:
    """Return a copy of a model without some of its attention heads.

    Args:
        model: the model; it is not changed. Some of its heads may already be pruned.
        heads: the heads to remove, as (layer, head) from 0, numbered as before any head was pruned.

    Raises:
        BadInput: a head does not exist, or a layer would lose every head.
    """
    kept = _kept_after(model.config, heads)
    whole = range(model.config.num_heads)
    pruned = tuple(tuple(head for head in whole if head not in layer) for layer in kept)
    config = replace(model.config, pruned_heads=pruned)
    weights = dict(model.state_dict())
    for layer, heads_left in enumerate(kept):
        rows = _rows([model.config.kept_heads(layer).index(head) for head in heads_left], model.config.head_size)
        _slice_layer(weights, f"body.layers.{layer}.attention", rows)
    return _rebuilt(model, config, weights)


def with_zero_heads(model: Transformer, heads: Heads) -> Transformer:
    """Return a copy of a model in which some heads add nothing: their columns of the output map are 0.

    Args:
        model: the model; it is not changed.
        heads: the heads to zero, as (layer, head) from 0, numbered as before any head was pruned.

    Raises:
        BadInput: a head does not exist, or a layer would lose every head.
    """
    _kept_after(model.config, heads)
    copied = copy.deepcopy(model)
    for layer, head in heads:
        columns = _rows([model.config.kept_heads(layer).index(head)], model.config.head_size)
        with torch.no_grad():
            copied.get_parameter(f"body.layers.{layer}.attention.output.weight")[:, columns] = 0
    return copied


def first_layers(model: Transformer, layers: int) -> Transformer:
    """Return a copy of a model with only its first layers, and with the final norm if the model has a final norm.

    Args:
        model: the model; it is not changed.
        layers: number of layers to keep.

    Raises:
        BadInput: the model does not have more than `layers` layers.
    """
    whole = model.config.num_layers
    if not 0 < layers < whole:
        none_dropped = f"the model has {count_of(whole, 'layer')}: none would be dropped"
        what = none_dropped if layers == whole else f"{layers} layers cannot be kept of {whole}"
        mend = f"give a number from 1 to {whole - 1}" if whole > 1 else "give another model"
        raise BadInput(what, where="--layers", mend=mend)
    config = replace(model.config, num_layers=layers, pruned_heads=model.config.pruned_heads[:layers])
    dropped = tuple(f"body.layers.{layer}." for layer in range(layers, model.config.num_layers))
    weights = {name: value for name, value in model.state_dict().items() if not name.startswith(dropped)}
    return _rebuilt(model, config, weights)


def _kept_after(config: TransformerConfig, heads: Heads) -> list[list[int]]:
    """Return the heads of each layer that are left once `heads` are removed."""
    kept = [config.kept_heads(layer) for layer in range(config.num_layers)]
    for layer, head in heads:
        if not 0 <= layer < len(kept) or head not in kept[layer]:
            raise BadInput(f"there is no head {head} in layer {layer} (from 0)", mend="name heads that the model has")
        kept[layer].remove(head)
        if not kept[layer]:
            what = f"layer {layer} (from 0) would lose every head"
            raise BadInput(what, mend="keep one head in each layer, or drop layers from the top")
    return kept


def _rows(heads: Sequence[int], head_size: int) -> Tensor:
    """Return the indices of the rows of a query, key or value map that belong to heads, int64 [heads * head_size]."""
    return (torch.tensor(heads, dtype=torch.int64)[:, None] * head_size + torch.arange(head_size)).flatten()


def _slice_layer(weights: dict[str, Tensor], attention: str, rows: Tensor) -> None:
    """Keep some rows of a layer's query, key and value maps, and the same columns of its output map, in place."""
    for part in ("weight", "bias"):
        name = f"{attention}.qkv.{part}"
        if name in weights:
            weights[name] = torch.cat([third[rows] for third in weights[name].chunk(3)])
    weights[f"{attention}.output.weight"] = weights[f"{attention}.output.weight"][:, rows]


def _rebuilt(model: Transformer, config: TransformerConfig, weights: dict[str, Tensor]) -> Transformer:
    """Return a model of another config with these weights, on the device and in the mode of `model`."""
    embedding = copy.deepcopy(model.embedding)
    with torch.device("meta"):
        built = Transformer(config, embedding, pooler=model.pooler is not None)
    own = {f"embedding.{name}": value for name, value in embedding.state_dict().items()}
    layers = {name: value.clone() for name, value in weights.items() if name not in own}
    built.load_state_dict({**own, **layers}, assign=True)
    return built.train(model.training)
