"""The door to fast inference: which twin of a model computes in a type here, and under which name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, Protocol

import numpy as np
import torch
from torch import Tensor

from wordworth.models.batch import Batch, pack
from wordworth.models.cpu_features import has_bfloat16
from wordworth.models.cpu_inference.calibration import ranges, texts
from wordworth.models.cpu_inference.encoder import CpuEncoder, can_compile
from wordworth.models.cpu_inference.kernels import Dtype, Kernel, kernel_for
from wordworth.models.length_batching import batches
from wordworth.models.transformer import Encoder, Transformer
from wordworth.text.encoding import Tokens
from wordworth.text.windows import take

Wanted = Literal["float32", "bfloat16", "int8", "auto"]


class StateReader(Protocol):
    """A model, or a faster twin of it."""

    def __call__(self, batch: Batch) -> Tensor:
        """The last hidden state, [tokens, d]."""

    def states(self, batch: Batch) -> Iterator[Tensor]:
        """Every hidden state in turn, [tokens, d]: the input layer, then each layer's."""


def chosen(model: Encoder, wanted: Wanted) -> Dtype:
    """The type to compute in: `auto` is bfloat16 where the CPU multiplies it by itself and a twin exists."""
    if wanted != "auto":
        return wanted
    fits = _can_compile(model) and has_bfloat16() and kernel_for("bfloat16") != "plain"
    return "bfloat16" if fits else "float32"


def compiled(model: Encoder, dtype: Dtype, read: Callable[[Sequence[str]], list[Tokens]]) -> tuple[StateReader, Kernel]:
    """What reads batches in `dtype`, and the kernel that does it.

    Where torch or the CPU lacks what the twin needs, or the body is of another kind, the kernel is `plain`: the model
    itself, in bfloat16 where that was wanted, else in float32.

    Args:
        model: the exact model; the twin follows when its weights change.
        dtype: what to compute in.
        read: texts to tokens; int8 needs it to see what the model's inner values look like.
    """
    kernel = kernel_for(dtype) if _can_compile(model) else "plain"
    if kernel == "plain" or not isinstance(model, Transformer):
        return (model.to(torch.bfloat16) if dtype == "bfloat16" else model), kernel

    def calibrate() -> list[Batch]:
        limit = model.config.max_length
        tokens = [_within(found, limit) for found in read(texts())]
        return [pack([tokens[place] for place in places]) for places in batches([len(found) for found in tokens])]

    return CpuEncoder(model, kernel, lambda: ranges(model, calibrate())), kernel


def _can_compile(model: Encoder) -> bool:
    return isinstance(model, Transformer) and can_compile(model.config)


def _within(tokens: Tokens, limit: int) -> Tokens:
    return tokens if len(tokens) <= limit else take(tokens, np.arange(limit))
