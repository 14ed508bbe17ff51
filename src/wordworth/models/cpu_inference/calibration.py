"""What the inputs of a model's maps look like, seen on texts, so that int8 steps can be fixed once."""

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
    """Short and long texts of many kinds, written for this purpose."""
    written = resources.files(__package__).joinpath("calibration_texts.txt").read_text(encoding="utf-8")
    return written.splitlines()


def ranges(model: Transformer, batches: Sequence[Batch]) -> dict[str, Range]:
    """The range of every linear map's input, by the map's name in the body (`layers.0.mlp.up`).

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
    def look(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        x = inputs[0].float()
        found = Range(x.abs().amax(0).clone(), float(x.min()), float(x.max()))
        seen[name] = seen[name].joined(found) if name in seen else found

    hook: Callable[[nn.Module, tuple[Tensor, ...]], None] = look
    return module.register_forward_pre_hook(hook)
