"""One optimiser step: gradients are collected and clipped, Adam updates the weights, the bfloat16 copy follows."""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor, nn

from wordworth.training.chunked_adamw import ChunkedAdamW
from wordworth.training.distributed import Processes
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizers import trainable_parameters


class Update(Protocol):
    """How the gradients of a step change the weights."""

    def clear(self) -> None:
        """Set all gradients to zero."""

    def collect(self) -> None:
        """Call before every backward pass: adds the last pass's bfloat16 gradients to the float32 ones."""

    def gather(self) -> Tensor:
        """Bring the gradients of all passes and processes together and return their norm, float32."""

    def step(self, norm: Tensor, clip: float) -> None:
        """Scale the gradients down to a norm of `clip` if it is larger, and update the weights."""


def update_of(optimiser: torch.optim.Optimizer, replica: Bf16Replica[Any] | None, processes: Processes) -> Update:
    """Return the fastest update that fits: `ChunkedAdamW` for AdamW with a copy in one process on a CPU."""
    on_processor = all(each.device.type == "cpu" for each in trainable_parameters(optimiser))
    if isinstance(optimiser, torch.optim.AdamW) and replica is not None and processes.count == 1 and on_processor:
        return ChunkedAdamW(optimiser, replica)
    return PlainStep(optimiser, replica, processes)


class PlainStep:
    """One operation after the other, each over all weights.

    Args:
        optimiser: of the float32 weights.
        replica: the bfloat16 copy that computes in their place, if there is one.
        processes: those that share the step.
    """

    def __init__(
        self, optimiser: torch.optim.Optimizer, replica: Bf16Replica[Any] | None, processes: Processes
    ) -> None:
        self._optimiser, self._twin, self._processes = optimiser, replica, processes

    def clear(self) -> None:
        """Set the gradients of the weights and of the bfloat16 copy to zero."""
        self._optimiser.zero_grad()
        if self._twin is not None:
            self._twin.module.zero_grad()

    def collect(self) -> None:
        """Add the copy's gradients to those of the weights, in float32."""
        if self._twin is not None:
            self._twin.accumulate_gradients()

    def gather(self) -> Tensor:
        """Collect and sum the gradients on the float32 weights, and return their norm."""
        self.collect()
        gradients = [each.grad for each in trainable_parameters(self._optimiser) if each.grad is not None]
        self._processes.reduce_gradients(gradients)
        return nn.utils.get_total_norm(gradients)

    def step(self, norm: Tensor, clip: float) -> None:
        """Clip the gradients, update the weights, refresh the bfloat16 copy."""
        nn.utils.clip_grads_with_norm_(trainable_parameters(self._optimiser), clip, norm)
        self._optimiser.step()
        if self._twin is not None:
            self._twin.sync_weights()
