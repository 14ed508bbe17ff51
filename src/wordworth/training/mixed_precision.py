"""Mixed precision, where the machine multiplies bfloat16 faster than float32."""

from __future__ import annotations

import copy
from typing import Generic, Literal, TypeVar, get_args

import torch
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.devices import has_bfloat16, multiplies_bfloat16

Dtype = Literal["auto", "float32", "bfloat16"]
_Model = TypeVar("_Model", bound=nn.Module)


def supports_bf16(device: torch.device | None = None) -> bool:
    """Return whether a device has matrix instructions for bfloat16; by default the device is this machine's CPU."""
    return has_bfloat16() if device is None else multiplies_bfloat16(device)


def computes_in_bf16(dtype: str, device: torch.device) -> bool:
    """Return whether to compute in bfloat16, by the user's `dtype` and the device.

    Args:
        dtype: `float32`, `bfloat16`, or `auto`, which takes bfloat16 if the device `supports_bf16`.
        device: the device of the computation.

    Raises:
        BadInput: `dtype` is not auto, float32 or bfloat16.
    """
    if dtype not in get_args(Dtype):
        raise BadInput(f"unknown dtype {dtype!r}", where="--dtype", mend="give auto, float32 or bfloat16")
    return supports_bf16(device) if dtype == "auto" else dtype == "bfloat16"


class Bf16Replica(Generic[_Model]):
    """A bfloat16 copy of a model, which computes the gradients for its float32 weights (Micikevicius et al. 2018).

    The float32 weights accumulate small updates, which bfloat16 would round away. The copy halves the memory of
    activations and avoids the conversions of torch's autocast, which converts weights and activations for every
    product.

    Args:
        model: the float32 model, which an optimiser updates; `sync_weights` copies its weights after an update.
    """

    def __init__(self, model: _Model) -> None:
        self.model = model
        self.module: _Model = copy.deepcopy(model).to(torch.bfloat16)
        self._pairs: list[tuple[nn.Parameter, nn.Parameter]] = list(
            zip(model.parameters(), self.module.parameters(), strict=True)
        )

    def replica_of(self, parameter: nn.Parameter) -> nn.Parameter | None:
        """Return the bfloat16 copy of a parameter of the model; None for any other parameter."""
        return next((half for own, half in self._pairs if own is parameter), None)

    def accumulate_gradients(self) -> None:
        """Add the gradients of the bfloat16 copy to the float32 model's gradients, and clear the copy's gradients."""
        gradients = [(own, half.grad) for own, half in self._pairs if half.grad is not None]
        fresh = [(own, grad) for own, grad in gradients if own.grad is None]
        for own, grad in gradients:
            if own.grad is not None:
                own.grad.add_(grad)
        copies = [torch.empty_like(own) for own, _ in fresh]
        if fresh:
            torch._foreach_copy_(copies, [grad for _, grad in fresh])
        for (own, _), copied in zip(fresh, copies, strict=True):
            own.grad = copied
        for _, half in self._pairs:
            half.grad = None

    @torch.no_grad()
    def sync_weights(self) -> None:
        """Copy the float32 model's weights to the copy, rounded to bfloat16."""
        halves: list[Tensor] = [half for _, half in self._pairs]
        torch._foreach_copy_(halves, [own for own, _ in self._pairs])
