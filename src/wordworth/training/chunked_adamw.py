"""The update a piece at a time: gradients, clipping, Adam and the twin for as many weights as the cache holds.

One after the other over all weights, each of these fetches from memory again what the cache has just let go of. Here a
piece goes through all of them before its neighbour begins; `Whole` in `wordworth.training.optimizer_step` is the
specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizers import init_state, trainable_parameters

_PIECE = 1 << 18
"""Numbers of a piece: 1 MB for each of weights, gradients and both moments."""
_TINY = 1e-6
"""What `torch.nn.utils.clip_grads_with_norm_` adds to the norm that it divides by."""


class Piece(NamedTuple):
    """The same places of weights, of what Adam keeps of them, and of the twin; in each list a flat tensor a weight.

    Attributes:
        group: of the optimiser, with its rate and settings.
        places: which gradient, and where in it.
        room: for the gradients in float32, in one; `gradients` is the same, divided.
    """

    group: dict[str, Any]
    places: list[tuple[int, slice]]
    room: Tensor
    gradients: list[Tensor]
    weights: list[Tensor]
    first: list[Tensor]
    second: list[Tensor]
    steps: list[Tensor]
    halves: list[Tensor]


class ChunkedAdamW:
    """AdamW and a twin on a processor, a piece of the weights after the other.

    A lone backward pass leaves its gradients with the twin; a piece of them is brought to float32 when its turn comes.

    Args:
        optimiser: torch's AdamW, which keeps its state as if it took the steps itself.
        twin: of the weights, or of most of them.
    """

    def __init__(self, optimiser: torch.optim.AdamW, twin: Bf16Replica[Any]) -> None:
        self._optimiser, self._twin = optimiser, twin
        self._passes = 0
        self._pairs = [(own, twin.replica_of(own)) for own in trainable_parameters(optimiser)]
        self._room = torch.empty(_PIECE)
        self._cut: tuple[list[int], list[Piece]] = ([], [])

    def clear(self) -> None:
        """Of the weights and of the twin."""
        self._passes = 0
        self._optimiser.zero_grad()
        self._twin.module.zero_grad()

    def collect(self) -> None:
        """From the second pass on, the twin's are added to those of the weights, in float32."""
        self._passes += 1
        if self._passes > 1:
            self._twin.accumulate_gradients()

    def gather(self) -> Tensor:
        """Where they are, if a lone pass left them there."""
        if self._passes > 1:
            self._twin.accumulate_gradients()
        given = self._given()
        norms = [torch.linalg.vector_norm(_filled(piece, given)) for piece in self._pieces(list(given))]
        total: Tensor = torch.linalg.vector_norm(torch.stack(norms))
        return total

    @torch.no_grad()
    def step(self, norm: Tensor, clip: float) -> None:
        """Clip, change and renew, piece after piece."""
        given = self._given()
        torch._foreach_add_([self._optimiser.state[self._pairs[number][0]]["step"] for number in given], 1)
        scale = min(float(clip / (norm + _TINY)), 1.0)
        for piece in self._pieces(list(given)):
            gradients = _filled(piece, given)
            if scale < 1:
                gradients.mul_(scale)
            _adam(piece)
            torch._foreach_copy_(piece.halves, piece.weights)
        self._twin.module.zero_grad()

    def _given(self) -> dict[int, Tensor]:
        """The gradients that there are, flat, by number: a weight's own, or its half's if that still has it."""
        held = ((own if half is None or half.grad is None else half).grad for own, half in self._pairs)
        return {number: each.flatten() for number, each in enumerate(held) if each is not None}

    def _pieces(self, numbers: list[int]) -> list[Piece]:
        """Of the weights that have gradients, cut anew only where these are not those of the last step."""
        if self._cut[0] != numbers:
            self._cut = (numbers, list(self._cuts(numbers)))
        return self._cut[1]

    def _cuts(self, numbers: list[int]) -> Iterator[Piece]:
        first = 0
        for group in self._optimiser.param_groups:
            last = first + len(group["params"])
            sizes = {number: self._pairs[number][0].numel() for number in numbers if first <= number < last}
            yield from (self._piece(group, places) for places in _places(sizes))
            first = last

    def _piece(self, group: dict[str, Any], places: list[tuple[int, slice]]) -> Piece:
        sizes = [place.stop - place.start for _, place in places]
        room = self._room[: sum(sizes)]
        owns = [self._pairs[number][0] for number, _ in places]
        states = [init_state(self._optimiser, own) for own in owns]

        def cut(tensors: Iterable[Tensor]) -> list[Tensor]:
            return [each.detach().view(-1)[place] for each, (_, place) in zip(tensors, places, strict=True)]

        first, second = (cut(state[name] for state in states) for name in ("exp_avg", "exp_avg_sq"))
        halves = cut(own if half is None else half for own, half in (self._pairs[number] for number, _ in places))
        steps = [state["step"] for state in states]
        return Piece(group, places, room, list(torch.split(room, sizes)), cut(owns), first, second, steps, halves)


def _filled(piece: Piece, given: dict[int, Tensor]) -> Tensor:
    """A piece's gradients, in float32."""
    torch._foreach_copy_(piece.gradients, [given[number][place] for number, place in piece.places])
    return piece.room


def _adam(piece: Piece) -> None:
    """One step of torch's own, for one piece."""
    group, (beta1, beta2) = piece.group, piece.group["betas"]
    torch._fused_adamw_(
        piece.weights,
        piece.gradients,
        piece.first,
        piece.second,
        [],
        piece.steps,
        lr=group["lr"],
        beta1=beta1,
        beta2=beta2,
        weight_decay=group["weight_decay"],
        eps=group["eps"],
        amsgrad=False,
        maximize=False,
    )


def _places(sizes: dict[int, int]) -> Iterator[list[tuple[int, slice]]]:
    """Numbered tensors of some sizes, cut into pieces: of each the tensors' numbers, and which part of each it has."""
    places: list[tuple[int, slice]] = []
    free = _PIECE
    for number, size in sizes.items():
        start = 0
        while start < size:
            stop = min(size, start + free)
            places.append((number, slice(start, stop)))
            start, free = stop, free - (stop - start)
            if not free:
                yield places
                places, free = [], _PIECE
    if places:
        yield places
