"""Make `AttentionMaps` from arrays of any library: numpy arrays, tensors, or lists with an array for each layer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wordworth.errors import BadInput
from wordworth.measures.attention_maps import AttentionMaps, Vectors, Weights, Words
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.text.tokens import encodable

MOST_TOKENS = 1_024
_SPECIAL = re.compile(r"\[(CLS|SEP|PAD|BOS|EOS)\]|</?s>|<(pad|bos|eos|cls|sep)>|<\|[^|]+\|>")
CONTINUED, _BEGUN = "##", ("Ġ", "▁")
"""The mark of a WordPiece subword that continues a word, and those of BPE and unigram subwords that begin a word."""
_EAGER = 'load the model with attn_implementation="eager" and call it with output_attentions=True'
_LEAST, _LARGEST = -1e-4, 1 + 1e-3
"""Values outside this range are no attention weights, even with rounding errors."""
_BATCHED, _SINGLE = 4, 3


def maps_of_arrays(  # noqa: PLR0913 - the arrays, each by its name
    attention: ArrayLike,
    tokens: Sequence[str],
    *,
    name: str,
    sentence_b_start: int | None = None,
    special: Sequence[bool] | None = None,
    word_ids: Sequence[int | None] | None = None,
    query: ArrayLike | None = None,
    key: ArrayLike | None = None,
) -> AttentionMaps:
    """Check arrays of attention weights and return them as `AttentionMaps`.

    Args:
        attention: the weights [layers, heads, tokens, tokens], or a list with [heads, tokens, tokens] or [1, heads,
            tokens, tokens] for each layer.
        tokens: the tokens, as the vocabulary spells them.
        name: name of the model.
        sentence_b_start: index of the first token of the second text; None if there is one text.
        special: whether each token is special; by default tokens that are written like special tokens, such as [CLS].
        word_ids: the number of each token's word, and None for special tokens, as `word_ids()` of tokenizers returns
            them; by default words follow from the marks of subwords.
        query: the queries, [layers, heads, tokens, size], or a list with an array for each layer; None if not known.
        key: the keys, in the shape of `query`; None if not known.

    Raises:
        BadInput: an array has another shape, holds values outside 0 to 1, or does not fit the tokens.
    """
    names = _checked_tokens(tokens)
    weights = _checked_weights(_stacked(attention, "attention"), len(names))
    if sentence_b_start is not None and not _is_index(sentence_b_start, len(names)):
        what = f"sentence_b_start is {sentence_b_start!r}, and there are {len(names)} tokens"
        raise BadInput(what, mend="give the index of the second text's first token, from 0")
    if special is None:
        is_special = _special_tokens(names, word_ids)
    else:
        is_special = np.array(_of_length(special, names, "special"), dtype=bool)
    words = _words(names, is_special, word_ids, sentence_b_start)
    vectors = _vectors(query, key, weights)
    return AttentionMaps(encodable(name), names, weights, is_special, sentence_b_start, words, vectors)


def require_page_length(tokens: int) -> None:
    """Check that the page of attention maps can show a text of this many tokens.

    Raises:
        BadInput: there are more than `MOST_TOKENS`.
    """
    if tokens > MOST_TOKENS:
        what = f"{tokens:,} tokens are too many for a page, which shows {MOST_TOKENS:,}"
        raise BadInput(what, mend="give a shorter text, or arrays of a part of it")


def _is_index(value: object, tokens: int) -> bool:
    """Return whether a value is the index of a token that is not the first."""
    return not isinstance(value, bool) and isinstance(value, Integral) and 0 < int(value) < tokens


def _checked_tokens(tokens: Sequence[str]) -> tuple[str, ...]:
    if (
        isinstance(tokens, str)
        or not isinstance(tokens, Iterable)
        or not all(isinstance(token, str) for token in tokens)
    ):
        raise BadInput("tokens are not a list of strings", mend="give one string for each row of a map")
    if not len(tokens):
        raise BadInput("there are no tokens", mend="give one string for each row of a map")
    require_page_length(len(tokens))
    return tuple(encodable(str(token)) for token in tokens)


def _checked_weights(weights: Weights, tokens: int) -> Weights:
    """Return weights clipped to 0 to 1, after checking that they are finite square maps of `tokens` tokens.

    Weights that are outside 0 to 1 by more than rounding are refused.
    """
    if weights.shape[-2:] != (tokens, tokens):
        what = f"attention is {_by(weights.shape)}, and there are {tokens} tokens"
        raise BadInput(what, mend=f"give maps of {tokens} by {tokens}, or the tokens of these maps")
    if not np.isfinite(weights).all():
        layer, head = np.argwhere(~np.isfinite(weights).all((-2, -1)))[0]
        what = f"attention of layer {layer + 1}, head {head + 1} has NaN or infinite weights"
        raise BadInput(what, mend="look for rows in which every token is masked")
    if weights.min() < _LEAST or weights.max() > _LARGEST:
        what = f"attention has weights from {weights.min():.3g} to {weights.max():.3g}"
        raise BadInput(what, mend="give weights after the softmax, from 0 to 1")
    return np.clip(weights, 0, 1)


def _stacked(values: Any, name: str) -> Weights:  # noqa: ANN401 - an array of any library, or a list of them
    """Return an array, or a list with an array for each layer, as float32 [layers, heads, tokens, ...].

    Raises:
        BadInput: the array or list is empty, or layers differ in shape.
    """
    if values is None or (not hasattr(values, "shape") and (not len(values) or any(each is None for each in values))):
        raise BadInput(f"{name} is empty: transformers' default kernel returns no attention", mend=_EAGER)
    layers = [_one_text(_array(layer, name), name) for layer in values]
    shapes = {layer.shape for layer in layers}
    if len(shapes) > 1:
        what = f"layers of {name} differ in shape: {' and '.join(sorted(map(_by, shapes)))}"
        raise BadInput(what, mend="give as many heads and tokens in each layer, zeros for heads that were removed")
    if not layers or not layers[0].size:
        raise BadInput(f"{name} is empty", mend=_EAGER)
    return np.stack(layers)


def _one_text(layer: Weights, name: str) -> Weights:
    """Return a layer of one text as [heads, tokens, ...]; a batch of one text loses its first dimension."""
    if layer.ndim == _BATCHED and len(layer) > 1:
        raise BadInput(f"{name} is of a batch of {len(layer)} texts", mend="give the maps of one text: layer[:1]")
    single = layer[0] if layer.ndim == _BATCHED and len(layer) else layer
    if single.ndim != _SINGLE:
        what = f"a layer of {name} is {_by(layer.shape) or 'a number'}"
        raise BadInput(what, mend="give [layers, heads, tokens, tokens], or a list of [1, heads, tokens, tokens]")
    return single


def _array(values: Any, name: str) -> Weights:  # noqa: ANN401 - an array of any library
    """Return an array of any library, or a list of numbers, as a float32 array of numpy."""
    if hasattr(values, "detach"):  # a torch tensor, on any device, of any dtype
        values = values.detach().cpu().float()
    if np.iscomplexobj(values):
        raise BadInput(f"{name} holds complex numbers", mend="give weights after the softmax, from 0 to 1")
    try:
        return np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} holds what is no array of numbers ({error!s:.80})", mend="give numbers") from error


def _by(shape: tuple[int, ...]) -> str:
    return " by ".join(map(str, shape))


def _of_length(values: Sequence[Any], tokens: tuple[str, ...], name: str) -> list[Any]:
    if len(values) != len(tokens):
        raise BadInput(f"{name} has {len(values)} values for {len(tokens)} tokens", mend="give one for each token")
    return list(values)


def _special_tokens(tokens: tuple[str, ...], word_ids: Sequence[int | None] | None) -> Flags:
    if word_ids is not None:
        return np.array([word is None for word in _of_length(word_ids, tokens, "word_ids")], dtype=bool)
    return np.array([bool(_SPECIAL.fullmatch(token)) for token in tokens], dtype=bool)


def _words(
    tokens: tuple[str, ...], special: Flags, word_ids: Sequence[int | None] | None, second: int | None
) -> Words | None:
    """Return the words of the tokens, by `word_ids` or by the marks of subwords; None if there are neither."""
    if word_ids is not None:
        numbers = _of_length(word_ids, tokens, "word_ids")
        starts = [
            at in {0, second} or numbers[at] is None or numbers[at] != numbers[at - 1] for at in range(len(tokens))
        ]
    elif any(token.startswith(CONTINUED) for token in tokens):
        starts = [not token.startswith(CONTINUED) for token in tokens]
    elif any(token.startswith(_BEGUN) for token in tokens):
        starts = [token.startswith(_BEGUN) for token in tokens]
    else:
        return None
    after_special = np.concatenate([[True], special[:-1]])
    begins = np.array(starts, dtype=bool) | special | after_special
    if second is not None:
        begins[second] = True
    return words_of_starts(tokens, begins.cumsum() - 1)


def words_of_starts(tokens: Sequence[str], of_token: Integers) -> Words:
    """Join tokens into the words that they belong to, without the marks of subwords (##, Ġ, ▁).

    Args:
        tokens: each token as the vocabulary spells it.
        of_token: int64 [tokens], the index of each token's word, ascending from 0.
    """
    names = [""] * (int(of_token[-1]) + 1)
    for token, word in zip(tokens, of_token, strict=True):
        names[word] += token.removeprefix(CONTINUED) if names[word] else token.lstrip("".join(_BEGUN))
    return Words(tuple(names), of_token.astype(np.int64))


def _vectors(query: ArrayLike | None, key: ArrayLike | None, weights: Weights) -> Vectors | None:
    if (query is None) != (key is None):
        raise BadInput("only one of query and key is there", mend="give both, or none")
    if query is None:
        return None
    both = _stacked(query, "query"), _stacked(key, "key")
    for name, vectors in zip(("query", "key"), both, strict=True):
        if vectors.shape[:3] != weights.shape[:3] or vectors.shape != both[0].shape:
            what = f"{name} is {_by(vectors.shape)}, and attention is {_by(weights.shape)}"
            raise BadInput(what, mend="give a vector for each layer, head and token, [layers, heads, tokens, size]")
        if not np.isfinite(vectors).all():
            raise BadInput(f"{name} has NaN or infinite values", mend="give finite numbers")
    return Vectors(*both)
