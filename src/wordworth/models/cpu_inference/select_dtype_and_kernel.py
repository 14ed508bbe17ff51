"""Choose the implementation of a model for inference: its dtype and kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from wordworth.errors import BadInput
from wordworth.models.batch import Batch, pack
from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.cpu_inference.detect_kernels import Dtype, Kernel, kernel_for
from wordworth.models.cpu_inference.encoder import CpuEncoder, can_compile
from wordworth.models.cpu_inference.linear import Range
from wordworth.models.devices import has_bfloat16, multiplies_bfloat16
from wordworth.models.encoder_base import Encoder
from wordworth.models.length_batching import batches
from wordworth.models.transformer import Transformer
from wordworth.text.tokens import Tokens
from wordworth.text.windows import take


class StateReader(Protocol):
    """A function from a batch to hidden states: a model, or an optimised copy of it."""

    def __call__(self, batch: Batch) -> Tensor:
        """Return the last hidden state, [tokens, d]."""

    def states(self, batch: Batch) -> Iterator[Tensor]:
        """Yield the hidden states of a batch, [tokens, d] each: first the input layer's, then every layer's."""


_CPU = torch.device("cpu")


def resolve_dtype(model: Encoder, option: DtypeOption, device: torch.device = _CPU) -> Dtype:
    """Return the dtype that an option stands for on a device.

    `auto` is bfloat16 if the device multiplies bfloat16 natively and, on a CPU, an optimised copy of the model can be
    built; else float32. Any other option is returned as it is.

    Args:
        model: the encoder.
        option: a dtype, or `auto`.
        device: the device that computes.

    Raises:
        BadInput: int8 is requested on a GPU.
    """
    if device.type != "cpu" and option == "int8":
        raise BadInput("int8 is computed on a CPU only", where="--dtype", mend="give --dtype bfloat16, or --device cpu")
    if option != "auto":
        return option
    if device.type != "cpu":
        return "bfloat16" if multiplies_bfloat16(device) else "float32"
    fits = _can_compile(model) and has_bfloat16() and kernel_for("bfloat16") != "plain"
    return "bfloat16" if fits else "float32"


def accelerate(
    model: Encoder, dtype: Dtype, tokenize: Callable[[Sequence[str]], list[Tokens]]
) -> tuple[StateReader, Kernel]:
    """Return the model or an optimised copy of it, whichever computes states faster, and the name of its kernel.

    The kernel is `plain` (the model itself, in bfloat16 if that was requested, else in float32) if torch or the CPU
    lacks the operations, or the model is no transformer that can be optimised.

    Args:
        model: the model; an optimised copy is rebuilt when the model's weights change.
        dtype: dtype of the computation.
        tokenize: tokenizes texts, which the calibration of int8 needs.
    """
    kernel = kernel_for(dtype) if _can_compile(model) else "plain"
    if kernel == "plain" or not isinstance(model, Transformer):
        return (model.to(torch.bfloat16) if dtype == "bfloat16" else model), kernel

    def calibrate() -> list[Batch]:
        limit = model.config.max_length
        tokens = [_truncated(sequence, limit) for sequence in tokenize(texts())]
        return [
            pack([tokens[index] for index in indices]) for indices in batches([len(sequence) for sequence in tokens])
        ]

    return CpuEncoder(model, kernel, lambda: ranges(model, calibrate())), kernel


def _can_compile(model: Encoder) -> bool:
    return isinstance(model, Transformer) and can_compile(model.config)


def _truncated(tokens: Tokens, limit: int) -> Tokens:
    return tokens if len(tokens) <= limit else take(tokens, np.arange(limit))


def texts() -> list[str]:
    """Return the texts that int8 is calibrated on: short and long, of many kinds, written for this purpose."""
    content = resources.files(__package__).joinpath("calibration_texts.txt").read_text(encoding="utf-8")
    return content.splitlines()


def ranges(model: Transformer, batches: Sequence[Batch]) -> dict[str, Range]:
    """Return the range of the inputs of every linear map in a model's body, by the map's name (`layers.0.mlp.up`).

    The model reads the batches, which are the calibration texts, once.
    """
    seen: dict[str, Range] = {}
    handles = [
        _watch(module, name, seen) for name, module in model.body.named_modules() if isinstance(module, nn.Linear)
    ]
    try:
        with torch.inference_mode():
            for batch in batches:
                model(batch)
    finally:
        for handle in handles:
            handle.remove()
    return seen


def _watch(module: nn.Linear, name: str, seen: dict[str, Range]) -> RemovableHandle:
    """Hook a linear map so that the range of its inputs is added to `seen`."""

    def record(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        x = inputs[0].float()
        input_range = Range(x.abs().amax(0).clone(), float(x.min()), float(x.max()))
        seen[name] = seen[name].joined(input_range) if name in seen else input_range

    hook: Callable[[nn.Module, tuple[Tensor, ...]], None] = record
    return module.register_forward_pre_hook(hook)
