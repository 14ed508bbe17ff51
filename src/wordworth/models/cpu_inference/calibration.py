"""Calibration for int8: ranges of the inputs of a model's linear maps on sample texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from wordworth.models.batch import Batch
from wordworth.models.cpu_inference.linear import Range
from wordworth.models.transformer import Transformer


def texts() -> list[str]:
    """Calibration texts: short and long texts of many kinds, written for this purpose."""
    content = resources.files(__package__).joinpath("calibration_texts.txt").read_text(encoding="utf-8")
    return content.splitlines()


def ranges(model: Transformer, batches: Sequence[Batch]) -> dict[str, Range]:
    """Measure the range of every linear map's input, by the map's name in the body (`layers.0.mlp.up`).

    The exact model reads the batches once.
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
