"""The update: gradients are clipped, Adam takes its step, and a twin in bfloat16 learns of it."""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor, nn

from wordworth.training.chunked_adamw import ChunkedAdamW
from wordworth.training.distributed import Processes
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizers import trainable_parameters


class Update(Protocol):
    """How the gradients of a step become better weights."""

    def clear(self) -> None:
        """Forget all gradients."""

    def collect(self) -> None:
        """To be called before every backward pass: what the last one left must not be rounded with the next."""

    def gather(self) -> Tensor:
        """The gradients of all passes and processes come together; their norm, float32."""

    def step(self, norm: Tensor, clip: float) -> None:
        """Scale the gradients down to a norm of `clip` where it is larger, and change the weights."""


def update_of(optimiser: torch.optim.Optimizer, twin: Bf16Replica[Any] | None, processes: Processes) -> Update:
    """The fastest update that fits."""
    on_processor = all(each.device.type == "cpu" for each in trainable_parameters(optimiser))
    if isinstance(optimiser, torch.optim.AdamW) and twin is not None and processes.count == 1 and on_processor:
        return ChunkedAdamW(optimiser, twin)
    return PlainStep(optimiser, twin, processes)


class PlainStep:
    """One thing after the other, each for all weights.

    Args:
        optimiser: of the weights, which are float32.
        twin: that computes in their place, if one does.
        processes: that share the step.
    """

    def __init__(self, optimiser: torch.optim.Optimizer, twin: Bf16Replica[Any] | None, processes: Processes) -> None:
        self._optimiser, self._twin, self._processes = optimiser, twin, processes

    def clear(self) -> None:
        """Of the weights and of the twin."""
        self._optimiser.zero_grad()
        if self._twin is not None:
            self._twin.module.zero_grad()

    def collect(self) -> None:
        """The twin's are added to those of the weights, in float32."""
        if self._twin is not None:
            self._twin.accumulate_gradients()

    def gather(self) -> Tensor:
        """On the weights."""
        self.collect()
        gradients = [each.grad for each in trainable_parameters(self._optimiser) if each.grad is not None]
        self._processes.reduce_gradients(gradients)
        return nn.utils.get_total_norm(gradients)

    def step(self, norm: Tensor, clip: float) -> None:
        """Clip, change, renew."""
        nn.utils.clip_grads_with_norm_(trainable_parameters(self._optimiser), clip, norm)
        self._optimiser.step()
        if self._twin is not None:
            self._twin.sync_weights()
