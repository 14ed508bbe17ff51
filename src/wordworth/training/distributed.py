"""The processes that share one run: which one this is, and how their sums are taken."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, distributed

_Value = TypeVar("_Value")
_BUCKET = 1 << 24
"""Numbers that are sent at once: 64 MB in float32."""


class Processes(Protocol):
    """What a run needs to know of those that work beside it."""

    @property
    def number(self) -> int:
        """This process, from 0; 0 writes what all of them made."""

    @property
    def count(self) -> int:
        """How many there are."""

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes, in place."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """The same for gradients."""

    def broadcast(self, value: _Value) -> _Value:
        """The value that process 0 gives; the others wait for it."""


class SingleProcess:
    """One process."""

    number = 0
    count = 1

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Nothing: the sum over one process is its own."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Nothing, likewise."""

    def broadcast(self, value: _Value) -> _Value:
        """The value itself."""
        return value


ALONE: Processes = SingleProcess()


class DataParallel:
    """Several processes, each with the whole model and a part of every step (data parallel).

    Gradients are added once a step, in float32 and in large pieces, when all passes of a step are done. Torch's own
    wrapper would send them during the last pass, which hides a part of the time; but it averages where a sum over the
    targets of the step is wanted, and knows nothing of float32 weights behind a bfloat16 model.
    """

    def __init__(self) -> None:
        self.number, self.count = distributed.get_rank(), distributed.get_world_size()

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """The sums, in pieces of one type."""
        for piece in _pieces(tensors):
            flat = torch.cat([tensor.detach().flatten() for tensor in piece]).to(_wire())
            distributed.all_reduce(flat)
            for tensor, total in zip(piece, torch.split(flat, [each.numel() for each in piece]), strict=True):
                tensor.detach().copy_(total.view_as(tensor))

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """The sums."""
        self.all_reduce(gradients)

    def broadcast(self, value: _Value) -> _Value:
        """By pickle, among processes of one person's run."""
        box: list[Any] = [value]
        distributed.broadcast_object_list(box, src=0)
        agreed: _Value = box[0]
        return agreed


class FullySharded(DataParallel):
    """Several processes, each with a part of the model (`sharding`): its hooks have added the gradients already."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Nothing that is left to do."""


@contextmanager
def processes(device: torch.device, *, sharded: bool = False) -> Iterator[Processes]:
    """The processes that torchrun started, joined until left, or this one alone; of GPUs each takes its own."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield ALONE
        return
    cuda = device.type == "cuda"
    if cuda:
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    distributed.init_process_group("nccl" if cuda else "gloo")
    try:
        yield FullySharded() if sharded else DataParallel()
    finally:
        distributed.destroy_process_group()


def _wire() -> torch.device:
    """Where tensors must be to be sent."""
    return torch.device("cuda" if distributed.get_backend() == "nccl" else "cpu")


def _pieces(tensors: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    """Neighbours of one type, up to a bucket's numbers together."""
    piece: list[Tensor] = []
    for tensor in tensors:
        if piece and (piece[0].dtype != tensor.dtype or sum(each.numel() for each in piece) + tensor.numel() > _BUCKET):
            yield piece
            piece = []
        piece.append(tensor)
    if piece:
        yield piece
