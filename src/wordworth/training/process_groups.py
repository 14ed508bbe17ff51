"""The processes that share one run: their ranks, and sums over all of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, distributed

_Value = TypeVar("_Value")
_BUCKET = 1 << 24
"""Values that are sent at once: 64 MB in float32."""
_DRAIN_S = 1.0
"""Time for the threads of a sharded group to drop their last tensors, in seconds."""


class Processes(Protocol):
    """The group of processes that work on a run together; this class is their interface."""

    @property
    def rank(self) -> int:
        """Rank of this process, from 0; only rank 0 writes files."""

    @property
    def count(self) -> int:
        """Number of processes (world size)."""

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes, in place.

        Args:
            tensors: tensors of any shape; every process passes tensors of the same shapes.
        """

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Replace each gradient by its sum over all processes, in place.

        Args:
            gradients: tensors of any shape; every process passes tensors of the same shapes.
        """

    def broadcast(self, value: _Value) -> _Value:
        """Return the value of process 0 in every process; the other processes wait for it.

        Args:
            value: the value, which only process 0 needs.
        """


class SingleProcess:
    """The process group of a run in a single process."""

    rank = 0
    count = 1

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Do nothing: the sum over one process is its own value.

        Args:
            tensors: tensors of any shape.
        """

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Do nothing: the gradients of one process are their own sum.

        Args:
            gradients: tensors of any shape.
        """

    def broadcast(self, value: _Value) -> _Value:
        """Return the value itself, since there is no other process."""
        return value


ALONE: Processes = SingleProcess()


class DataParallel:
    """Several processes, each with the whole model and a part of every step's batch (data parallel).

    Gradients are summed once a step, in float32 and in large buckets, after all backward passes. Torch's
    `DistributedDataParallel` does not fit: it averages over processes, whereas the loss needs a sum over the step's
    targets, and it does not support float32 weights behind a bfloat16 copy.
    """

    def __init__(self) -> None:
        self.rank, self.count = distributed.get_rank(), distributed.get_world_size()

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes; several tensors of one dtype are sent together.

        Args:
            tensors: tensors of any shape; every process passes tensors of the same shapes.
        """
        for bucket in _buckets(tensors):
            flat = torch.cat([tensor.detach().flatten() for tensor in bucket]).to(_transfer_device())
            distributed.all_reduce(flat)
            for tensor, total in zip(bucket, torch.split(flat, [each.numel() for each in bucket]), strict=True):
                tensor.detach().copy_(total.view_as(tensor))

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Replace each gradient by its sum over all processes.

        Args:
            gradients: tensors of any shape; every process passes tensors of the same shapes.
        """
        self.all_reduce(gradients)

    def broadcast(self, value: _Value) -> _Value:
        """Return the value of process 0 in every process.

        The value is sent as a pickle, which is safe, as one user owns all processes.
        """
        box: list[Any] = [value]
        distributed.broadcast_object_list(box, src=0)
        agreed: _Value = box[0]
        return agreed


class FullySharded(DataParallel):
    """Several processes, each with a part of the model (see `fsdp_sharding.shard`); FSDP's hooks sum the gradients."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Do nothing: FSDP has already summed the gradients over the processes.

        Args:
            gradients: tensors of any shape.
        """


@contextmanager
def processes(device: torch.device, *, sharded: bool = False) -> Iterator[Processes]:
    """Yield the group of processes that torchrun started; without torchrun, this process alone.

    The group exists inside the `with` block. On GPUs, each process uses a GPU of its own.

    Args:
        device: a device of the type to use, which decides how processes communicate. If it is a GPU, the function gives
            each process the GPU of its local rank.
        sharded: whether the model is sharded over the processes (`training.fsdp_sharding`).
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield ALONE
        return
    cuda = device.type == "cuda"
    if cuda:
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    # Imported while there is no group: torch.distributed.nn takes the group of its import as a default argument of its
    # functions, which would keep the group and its threads alive until the interpreter ends, where they can abort it.
    import wordworth.training.fsdp_sharding  # noqa: F401

    distributed.init_process_group("nccl" if cuda else "gloo")
    try:
        yield FullySharded() if sharded else DataParallel()
    finally:
        distributed.destroy_process_group()
        if sharded and not cuda:
            # Torch's caches of sharded tensors keep the group and its threads alive. Before Python 3.14, a thread that
            # drops a tensor while the interpreter ends aborts the process.
            time.sleep(_DRAIN_S)


def _transfer_device() -> torch.device:
    """Return the device that tensors must be on to be sent to other processes."""
    return torch.device("cuda" if distributed.get_backend() == "nccl" else "cpu")


def _buckets(tensors: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    """Yield consecutive tensors of one dtype, together up to `_BUCKET` numbers."""
    bucket: list[Tensor] = []
    for tensor in tensors:
        if bucket and (
            bucket[0].dtype != tensor.dtype or sum(each.numel() for each in bucket) + tensor.numel() > _BUCKET
        ):
            yield bucket
            bucket = []
        bucket.append(tensor)
    if bucket:
        yield bucket
