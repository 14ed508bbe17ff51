"""Read the attention maps, queries and keys of a transformer over one text or a pair, in one forward pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.attention_maps import AttentionMaps, Vectors, Weights, Words
from wordworth.measures.weighted_sums import Flags
from wordworth.models.activation_taps import ATTENTION, Taps
from wordworth.models.activations import activations
from wordworth.models.pruning import require_heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.studies.attention.maps_from_arrays import CONTINUED, require_page_length
from wordworth.text.tokens import Tokens
from wordworth.text.word_boundaries import words as word_spans

_TWO = 2
_IN_TEXT = frozenset({"unk", "mask"})
"""Roles of special tokens that stand for a word of the text."""


def require_one_or_two(texts: Sequence[str]) -> None:
    """Check that there are one or two texts, and that none is empty.

    Raises:
        BadInput: there are no texts or more than two, or one is empty.
    """
    if not 0 < len(texts) <= _TWO:
        raise BadInput(f"got {len(texts)} texts", mend="give one text, or two that are read together")
    if any(not text.strip() for text in texts):
        raise BadInput("a text is empty", mend="give texts with words")


def read_maps(encoder: TextEncoder, texts: Sequence[str], name: str) -> AttentionMaps:
    """Compute the attention maps of a model over a text, or over two texts that are encoded as a pair.

    Args:
        encoder: a transformer with its tokenizer.
        texts: one text or two.
        name: name of the model in the maps.

    Raises:
        BadInput: the texts are longer than the model reads at once, or there are two texts and the model's tokenizer
            cannot read pairs.
    """
    tokens = _encoded(encoder, texts)
    names = (ATTENTION, *_score_taps(encoder))
    values = next(activations(encoder.model, [tokens], Taps(read=names), batch_tokens=len(tokens))).values
    layers = [[values[name.replace("*", str(layer))] for layer in range(encoder.depth)] for name in names]
    weights, queries, keys = (_whole(encoder, each, axis) for each, axis in zip(layers, (0, 1, 1), strict=True))
    special = np.isin(
        tokens.ids, [index for role, index in encoder.tokenizer.special_ids.items() if role not in _IN_TEXT]
    )
    second = _second(tokens, texts)
    return AttentionMaps(
        name=name,
        tokens=_spellings(encoder, tokens, texts, second),
        weights=weights,
        special=special,
        second=second,
        words=_words(encoder, tokens, texts),
        vectors=Vectors(queries.swapaxes(1, 2), keys.swapaxes(1, 2)),
    )


def _whole(encoder: TextEncoder, layers: Sequence[Weights], axis: int) -> Weights:
    """Stack the values of all layers, [layers, ...], with zeros in place of heads that were pruned.

    Args:
        encoder: the transformer.
        layers: the values of the heads of each layer.
        axis: the axis of the heads in these arrays.
    """
    config = require_heads(encoder.model, encoder.name).config
    shape = [*layers[0].shape]
    shape[axis] = config.num_heads
    whole = np.zeros((len(layers), *shape), np.float32)
    for layer, values in enumerate(layers):
        np.moveaxis(whole[layer], axis, 0)[config.kept_heads(layer)] = np.moveaxis(values, axis, 0)
    return whole


def _score_taps(encoder: TextEncoder) -> tuple[str, str]:
    """Return the names of the queries and keys whose dot products give the scores, after any rotary embedding."""
    rotated = "rotated_" if any("rotated_query" in name for name in encoder.model.tap_names()) else ""
    return f"layers.*.attention.{rotated}query", f"layers.*.attention.{rotated}key"


def _encoded(encoder: TextEncoder, texts: Sequence[str]) -> Tokens:
    """Return the tokens of a text or a pair, after checking that they fit into the model and on the page."""
    [tokens] = encoder.tokenizer.encode(*([text] for text in texts))
    if len(tokens) > encoder.max_length:
        what = f"{len(tokens):,} tokens are more than the {encoder.max_length:,} that {encoder.name} reads at once"
        raise BadInput(what, mend="give a shorter text: attention has no meaning across parts of a text")
    if not len(tokens):
        raise BadInput(f"{encoder.name} reads no token of this text", mend="give a text with words")
    require_page_length(len(tokens))
    second = _second(tokens, texts)
    if second is not None and not _between(encoder, tokens, second).any():
        what = f"the tokenizer of {encoder.name} puts nothing between two texts"
        raise BadInput(what, mend="give one text, or a model that reads pairs, such as minilm")
    return tokens


def _between(encoder: TextEncoder, tokens: Tokens, second: int) -> Flags:
    """Return, for each token between the first text and the second, whether it is special, bool [tokens between]."""
    special = np.isin(tokens.ids, list(encoder.tokenizer.special_ids.values()))
    inner = np.flatnonzero(~special[:second])
    start = int(inner[-1]) + 1 if len(inner) else 0
    flags: Flags = special[start:second]
    return flags


def _second(tokens: Tokens, texts: Sequence[str]) -> int | None:
    """Return the index of the second text's first token that is in a word; None for one text."""
    if len(texts) < _TWO:
        return None
    inside = np.flatnonzero(tokens.words >= len(word_spans(texts[0])))
    if not len(inside):
        raise BadInput("the model reads no word of the second text", mend="give texts with words")
    return int(inside[0])


def _spellings(encoder: TextEncoder, tokens: Tokens, texts: Sequence[str], second: int | None) -> tuple[str, ...]:
    """Return the spelling of each token in its text, or that of the vocabulary for tokens without characters."""
    names = []
    for index, spelled in enumerate(encoder.tokenizer.tokens(tokens.ids)):
        start, end = tokens.offsets[index]
        text = texts[0] if second is None or index < second else texts[1]
        written = text[start:end].strip()
        mark = CONTINUED if spelled.startswith(CONTINUED) else ""
        names.append(mark + written if written else spelled)
    return tuple(names)


def _words(encoder: TextEncoder, tokens: Tokens, texts: Sequence[str]) -> Words:
    """Return the words as the texts write them; each token outside all words counts as a word of its own."""
    written = [text[start:end] for text in texts for start, end in word_spans(text)]
    starts = (tokens.words < 0) | (np.diff(tokens.words, prepend=-2) != 0)
    spelled = list(encoder.tokenizer.tokens(tokens.ids))
    names = [
        written[tokens.words[index]] if tokens.words[index] >= 0 else spelled[index] for index in np.flatnonzero(starts)
    ]
    return Words(tuple(names), starts.cumsum() - 1)
