"""Read the inner values of an encoder's model, text by text: attention weights, head outputs, gradients.

The values are computed by the model itself, not by a copy of it that is optimised for a CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wordworth.models.activation_taps import Taps
from wordworth.models.batch import Batch, pack
from wordworth.models.batched_inference import Floats
from wordworth.models.encoder_base import Encoder
from wordworth.text.tokens import Tokens

Score = Callable[[int, Tensor], Tensor]
"""A function: (index of a text, its last hidden states [tokens, width]) -> the number whose gradients are computed."""


@dataclass(frozen=True, slots=True)
class TextActivations:
    """Inner values that an encoder computed for one text.

    Attributes:
        text: index of the text, from 0.
        tokens: the text's tokens, special ones included.
        values: name of a value, as `models.activation_taps` lists the names, -> float32 [tokens, ...]. Attention
            probabilities are [heads, tokens, tokens], with a row for each query; `pooler` is [width].
        gradients: name of a value -> gradient of a score with respect to that value, in the value's shape. The score is
            computed by the function `gradient_of` that `activations` received; without it, the mapping is empty.
    """

    text: int
    tokens: Tokens
    values: Mapping[str, Floats]
    gradients: Mapping[str, Floats]


def activations(
    model: Encoder,
    tokens: Sequence[Tokens],
    taps: Taps,
    *,
    head_scale: Tensor | None = None,
    gradient_of: Score | None = None,
    batch_tokens: int,
) -> Iterator[TextActivations]:
    """Yield the inner values of each text, in order; only the values of one batch are in memory at a time.

    Args:
        model: the model itself, not an optimised copy of it.
        tokens: the tokens of each text, none longer than the model reads at once.
        taps: the values to read or change. The values that are read are not stored in `taps.seen`, but yielded.
        head_scale: [layers, heads], a factor for the output of each attention head; None leaves the outputs unchanged.
        gradient_of: a function from a text's index and last hidden states, [tokens, width], to a score. The gradient of
            the score with respect to every value that is read is yielded too. None for no gradients.
        batch_tokens: maximal number of tokens in a batch; a longer text is a batch of its own.
    """
    for texts in _batches(tokens, batch_tokens):
        batch = pack([tokens[text] for text in texts]).to(model.device)
        values, gradients = _read(model, batch, texts, taps, (head_scale, gradient_of))
        for row, text in enumerate(texts):
            parts = [{name: per_text[row] for name, per_text in each.items()} for each in (values, gradients)]
            yield TextActivations(text, tokens[text], *parts)


def _batches(tokens: Sequence[Tokens], most: int) -> Iterator[list[int]]:
    """Yield the indices of neighbouring texts that have at most `most` tokens together, or of one longer text."""
    batch: list[int] = []
    total = 0
    for text, each in enumerate(tokens):
        if batch and total + len(each) > most:
            yield batch
            batch, total = [], 0
        batch.append(text)
        total += len(each)
    if batch:
        yield batch


_Read = dict[str, list[Floats]]


def _read(
    model: Encoder, batch: Batch, texts: list[int], taps: Taps, options: tuple[Tensor | None, Score | None]
) -> tuple[_Read, _Read]:
    """Run the model on one batch; return (values, gradients), each as name -> the arrays of all texts of the batch.

    Args:
        model: the model.
        batch: the batch.
        texts: the index of each of the batch's texts, for the score.
        taps: the values to read or change.
        options: (factors of attention heads or None, the score to differentiate or None).
    """
    head_scale, score = options
    change = dict(taps.change) if score is None else {**taps.change, "embedding": _followed(taps)}
    run = Taps(read=taps.read, change=change)
    with torch.inference_mode() if score is None else torch.enable_grad():
        last = model(batch, run, head_scale)
        if "pooler" in model.tap_names() and run.wants("pooler"):
            model.pool(last, batch.starts, run)
        gradients = {} if score is None else _gradients(run.seen, last, batch, texts, score)
    return _by_text(run.seen, batch.starts), _by_text(gradients, batch.starts)


def _followed(taps: Taps) -> Callable[[Tensor], Tensor]:
    """Return a change of the value `embedding` that lets gradients reach the value even if no weight needs one."""

    def follow(embedded: Tensor) -> Tensor:
        changed = taps.change["embedding"](embedded) if "embedding" in taps.change else embedded
        return changed if changed.requires_grad else changed.detach().requires_grad_()

    return follow


def _gradients(
    seen: Mapping[str, list[Tensor]], last: Tensor, batch: Batch, texts: list[int], score: Score
) -> dict[str, list[Tensor]]:
    states = torch.split(last, (batch.starts[1:] - batch.starts[:-1]).tolist())
    total = torch.stack([score(text, part) for text, part in zip(texts, states, strict=True)]).sum()
    flat = [value for values in seen.values() for value in values]
    if not flat:
        return {}
    gradients = iter(torch.autograd.grad(total, flat, allow_unused=True, materialize_grads=True))
    return {name: [next(gradients) for _ in values] for name, values in seen.items()}


def _by_text(seen: Mapping[str, list[Tensor]], starts: Tensor) -> _Read:
    """Split each value by text; return name -> the array of each text.

    Attention probabilities were computed once for each sequence, all other values once for the batch.

    Args:
        seen: name -> the tensors that were computed.
        starts: int [sequences + 1], where each sequence of the batch starts.
    """
    lengths = (starts[1:] - starts[:-1]).tolist()
    split: _Read = {}
    for name, values in seen.items():
        parts: Sequence[Tensor] = values
        if not name.endswith("probabilities"):
            parts = torch.split(values[0], [1] * len(lengths) if name == "pooler" else lengths)
        parts = [part[0] for part in parts] if name == "pooler" else parts
        split[name] = [np.array(part.float().numpy(force=True)) for part in parts]
    return split
