"""AdamW in chunks of weights that fit the CPU's cache: clip, update and copy to bfloat16, then the next chunk.

If each of these operations runs over all weights before the next operation begins, every operation reads the weights
from memory again. Here one chunk goes through all operations before the next chunk begins; `PlainStep` in
`wordworth.training.optimizer_step` is the specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizers import init_state, trainable_parameters

_CHUNK = 1 << 18
"""Values in a chunk: 1 MB for each of weights, gradients and both moments."""
_NORM_EPSILON = 1e-6
"""What `torch.nn.utils.clip_grads_with_norm_` adds to the norm that it divides by."""


class Chunk(NamedTuple):
    """A chunk of a model's weights: slices of parameters with their gradients, Adam moments and bfloat16 copies.

    Every list has one entry for each slice: a flat tensor, [values of the slice], unless said otherwise.

    Attributes:
        group: the optimiser's parameter group, with its learning rate and settings.
        slices: (index of the parameter, slice of its flattened values).
        buffer: float32 memory for all gradients of the chunk.
        gradients: views of `buffer`.
        weights: the float32 weights.
        first: Adam's first moments (`exp_avg`).
        second: Adam's second moments (`exp_avg_sq`).
        steps: Adam's step counts, scalars.
        replicas: the bfloat16 copies of the weights; for weights without a copy, the weights themselves.
    """

    group: dict[str, Any]
    slices: list[tuple[int, slice]]
    buffer: Tensor
    gradients: list[Tensor]
    weights: list[Tensor]
    first: list[Tensor]
    second: list[Tensor]
    steps: list[Tensor]
    replicas: list[Tensor]


class ChunkedAdamW:
    """AdamW on a CPU with a bfloat16 copy of the weights, which updates the weights in chunks.

    The class is an `Update` (`optimizer_step`), with the same results as `PlainStep`. It keeps no float32 gradients
    after a single backward pass: the bfloat16 gradients of a chunk are converted when the chunk is updated.

    Args:
        optimiser: torch's AdamW; its state is updated as by its own `step`.
        replica: the bfloat16 copy of the weights, or of most of them.
    """

    def __init__(self, optimiser: torch.optim.AdamW, replica: Bf16Replica[Any]) -> None:
        self._optimiser, self._replica = optimiser, replica
        self._passes = 0
        self._pairs = [(own, replica.replica_of(own)) for own in trainable_parameters(optimiser)]
        self._buffer = torch.empty(_CHUNK)
        self._cut: tuple[list[int], list[Chunk]] = ([], [])

    def clear(self) -> None:
        """Set the gradients of the weights and of the bfloat16 copy to zero."""
        self._passes = 0
        self._optimiser.zero_grad()
        self._replica.module.zero_grad()

    def before_backward(self) -> None:
        """Prepare for a backward pass, which the caller makes next.

        From the second pass of an update on, the bfloat16 gradients of the pass before are added to the float32
        gradients.
        """
        self._passes += 1
        if self._passes > 1:
            self._replica.accumulate_gradients()

    def gradient_norm(self) -> Tensor:
        """Return the norm of all gradients together, as a tensor [].

        If the update has had a single backward pass, the gradients stay in bfloat16, on the copy of the weights, and
        `step` converts them.
        """
        if self._passes > 1:
            self._replica.accumulate_gradients()
        gradients = self._gradients()
        norms = [torch.linalg.vector_norm(_filled(chunk, gradients)) for chunk in self._chunks(list(gradients))]
        total: Tensor = torch.linalg.vector_norm(torch.stack(norms))
        return total

    @torch.no_grad()
    def step(self, norm: Tensor, max_norm: float) -> None:
        """Clip the gradients, update the weights and refresh the bfloat16 copy, chunk after chunk.

        Args:
            norm: float32 [], the norm of all gradients, as `gradient_norm` returns it.
            max_norm: the norm to which larger gradients are scaled down.
        """
        gradients = self._gradients()
        torch._foreach_add_([self._optimiser.state[self._pairs[number][0]]["step"] for number in gradients], 1)
        scale = min(float(max_norm / (norm + _NORM_EPSILON)), 1.0)
        for chunk in self._chunks(list(gradients)):
            flat = _filled(chunk, gradients)
            if scale < 1:
                flat.mul_(scale)
            _adam(chunk)
            torch._foreach_copy_(chunk.replicas, chunk.weights)
        self._replica.module.zero_grad()

    def _gradients(self) -> dict[int, Tensor]:
        """Return index of a parameter -> flat gradient: of its bfloat16 copy if that has a gradient, else its own."""
        gradients = ((own if half is None or half.grad is None else half).grad for own, half in self._pairs)
        return {number: gradient.flatten() for number, gradient in enumerate(gradients) if gradient is not None}

    def _chunks(self, numbers: list[int]) -> list[Chunk]:
        """Return the chunks of the parameters with the indices `numbers`, which have gradients.

        The chunks of the last call are returned again if its parameters were the same.
        """
        if self._cut[0] != numbers:
            self._cut = (numbers, list(self._cuts(numbers)))
        return self._cut[1]

    def _cuts(self, numbers: list[int]) -> Iterator[Chunk]:
        first = 0
        for group in self._optimiser.param_groups:
            last = first + len(group["params"])
            sizes = {number: self._pairs[number][0].numel() for number in numbers if first <= number < last}
            yield from (self._chunk(group, slices) for slices in _slices(sizes))
            first = last

    def _chunk(self, group: dict[str, Any], slices: list[tuple[int, slice]]) -> Chunk:
        sizes = [part.stop - part.start for _, part in slices]
        buffer = self._buffer[: sum(sizes)]
        weights = [self._pairs[number][0] for number, _ in slices]
        states = [init_state(self._optimiser, own) for own in weights]

        def cut(tensors: Iterable[Tensor]) -> list[Tensor]:
            return [tensor.detach().view(-1)[part] for tensor, (_, part) in zip(tensors, slices, strict=True)]

        first, second = (cut(state[name] for state in states) for name in ("exp_avg", "exp_avg_sq"))
        replicas = cut(own if half is None else half for own, half in (self._pairs[number] for number, _ in slices))
        steps = [state["step"] for state in states]
        return Chunk(
            group, slices, buffer, list(torch.split(buffer, sizes)), cut(weights), first, second, steps, replicas
        )


def _filled(chunk: Chunk, gradients: dict[int, Tensor]) -> Tensor:
    """Copy a chunk's gradients into the chunk's float32 buffer, and return the buffer."""
    torch._foreach_copy_(chunk.gradients, [gradients[number][part] for number, part in chunk.slices])
    return chunk.buffer


def _adam(chunk: Chunk) -> None:
    """Update the weights of a chunk by one step of torch's fused AdamW."""
    group, (beta1, beta2) = chunk.group, chunk.group["betas"]
    torch._fused_adamw_(
        chunk.weights,
        chunk.gradients,
        chunk.first,
        chunk.second,
        [],
        chunk.steps,
        lr=group["lr"],
        beta1=beta1,
        beta2=beta2,
        weight_decay=group["weight_decay"],
        eps=group["eps"],
        amsgrad=False,
        maximize=False,
    )


def _slices(sizes: dict[int, int]) -> Iterator[list[tuple[int, slice]]]:
    """Cut flat tensors into chunks, and yield each chunk as a list of (number of a tensor, slice of this tensor).

    Args:
        sizes: number of a tensor -> its number of values.
    """
    slices: list[tuple[int, slice]] = []
    free = _CHUNK
    for number, size in sizes.items():
        start = 0
        while start < size:
            stop = min(size, start + free)
            slices.append((number, slice(start, stop)))
            start, free = stop, free - (stop - start)
            if not free:
                yield slices
                slices, free = [], _CHUNK
    if slices:
        yield slices
