"""`Update`: one optimiser step sums and clips gradients, updates the weights and refreshes their bfloat16 copy."""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor, nn

from wordworth.training.chunked_adamw import ChunkedAdamW
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizers import trainable_parameters
from wordworth.training.process_groups import Processes


class Update(Protocol):
    """An interface: an optimiser step over the gradients of one or more backward passes.

    Each step calls `clear`, then `before_backward` before each backward pass, then `gradient_norm` and `step`.
    """

    def clear(self) -> None:
        """Set all gradients to zero."""

    def before_backward(self) -> None:
        """Add the gradients of the previous backward pass, in bfloat16, to the float32 gradients.

        The caller calls it before every backward pass.
        """

    def gradient_norm(self) -> Tensor:
        """Sum the gradients of all passes and processes, and return their norm, float32 []."""

    def step(self, norm: Tensor, max_norm: float) -> None:
        """Scale the gradients down if their norm is too large, and update the weights.

        Args:
            norm: float32 [], the norm of all gradients, as `gradient_norm` returns it.
            max_norm: the largest norm of gradients that are not scaled down.
        """


def update_of(optimiser: torch.optim.Optimizer, replica: Bf16Replica[Any] | None, processes: Processes) -> Update:
    """Return the object that makes the optimiser steps of a run.

    For AdamW with a bfloat16 copy in one process on a CPU, the object is a `ChunkedAdamW`, which is faster. In all
    other cases it is a `PlainStep`.

    Args:
        optimiser: the optimiser of the float32 weights.
        replica: the bfloat16 copy of the model that computes the gradients, or None.
        processes: the processes that share the run.
    """
    on_processor = all(each.device.type == "cpu" for each in trainable_parameters(optimiser))
    if isinstance(optimiser, torch.optim.AdamW) and replica is not None and processes.count == 1 and on_processor:
        return ChunkedAdamW(optimiser, replica)
    return PlainStep(optimiser, replica, processes)


class PlainStep:
    """An optimiser step as separate operations over all weights; it is the specification of `ChunkedAdamW`.

    Args:
        optimiser: the optimiser of the float32 weights.
        replica: the bfloat16 copy of the model that computes the gradients, or None.
        processes: the processes that share the step.
    """

    def __init__(
        self, optimiser: torch.optim.Optimizer, replica: Bf16Replica[Any] | None, processes: Processes
    ) -> None:
        self._optimiser, self._replica, self._processes = optimiser, replica, processes

    def clear(self) -> None:
        """Set the gradients of the weights and of the bfloat16 copy to zero."""
        self._optimiser.zero_grad()
        if self._replica is not None:
            self._replica.module.zero_grad()

    def before_backward(self) -> None:
        """Add the gradients of the bfloat16 copy to the gradients of the weights, in float32."""
        if self._replica is not None:
            self._replica.accumulate_gradients()

    def gradient_norm(self) -> Tensor:
        """Sum the gradients of all backward passes and processes in float32, and return their norm, float32 []."""
        self.before_backward()
        gradients = [each.grad for each in trainable_parameters(self._optimiser) if each.grad is not None]
        self._processes.reduce_gradients(gradients)
        return nn.utils.get_total_norm(gradients)

    def step(self, norm: Tensor, max_norm: float) -> None:
        """Clip the gradients, update the weights and refresh their bfloat16 copy.

        Args:
            norm: float32 [], the norm of all gradients, as `gradient_norm` returns it.
            max_norm: the norm to which larger gradients are scaled down.
        """
        nn.utils.clip_grads_with_norm_(trainable_parameters(self._optimiser), max_norm, norm)
        self._optimiser.step()
        if self._replica is not None:
            self._replica.sync_weights()
