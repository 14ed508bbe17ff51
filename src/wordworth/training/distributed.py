"""The processes that share one run: their ranks, sums over all of them, and a model sharded over them.

Sharding is FSDP2's (Zhao et al. 2023, arXiv 2304.11277).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from wordworth.training.optimizers import trainable_parameters

_Value = TypeVar("_Value")
_BUCKET = 1 << 24
"""Values that are sent at once: 64 MB in float32."""
_DRAIN_S = 1.0
"""Time for the threads of a sharded group to drop their last tensors, in seconds."""


class Processes(Protocol):
    """The group of processes that work on a run together."""

    @property
    def number(self) -> int:
        """Rank of this process, from 0; rank 0 writes what all of them made."""

    @property
    def count(self) -> int:
        """Number of processes (world size)."""

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes, in place."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Replace each gradient by its sum over all processes, in place."""

    def broadcast(self, value: _Value) -> _Value:
        """Return the value of process 0; the others wait for it."""


class SingleProcess:
    """A run in one process."""

    number = 0
    count = 1

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Do nothing: the sum over one process is its own value."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Do nothing: the gradients of one process are their own sum."""

    def broadcast(self, value: _Value) -> _Value:
        """Return the value itself."""
        return value


ALONE: Processes = SingleProcess()


class DataParallel:
    """Several processes, each with the whole model and a part of every step's batch (data parallel).

    Gradients are summed once a step, in float32 and in large buckets, when all backward passes of a step are done.
    Torch's own wrapper would send them during the last pass, which hides part of the time; but it averages where a sum
    over the targets of the step is wanted, and knows nothing of float32 weights behind a bfloat16 model.
    """

    def __init__(self) -> None:
        self.number, self.count = distributed.get_rank(), distributed.get_world_size()

    def all_reduce(self, tensors: Sequence[Tensor]) -> None:
        """Sum each tensor over all processes, in buckets of one dtype."""
        for bucket in _buckets(tensors):
            flat = torch.cat([tensor.detach().flatten() for tensor in bucket]).to(_transfer_device())
            distributed.all_reduce(flat)
            for tensor, total in zip(bucket, torch.split(flat, [each.numel() for each in bucket]), strict=True):
                tensor.detach().copy_(total.view_as(tensor))

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Sum the gradients over all processes."""
        self.all_reduce(gradients)

    def broadcast(self, value: _Value) -> _Value:
        """Send the value of process 0 to all, pickled: they are all processes of the same user's run."""
        box: list[Any] = [value]
        distributed.broadcast_object_list(box, src=0)
        agreed: _Value = box[0]
        return agreed


class FullySharded(DataParallel):
    """Several processes, each with a part of the model (see `shard`); FSDP's hooks sum the gradients."""

    def reduce_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Do nothing: the gradients are summed already."""


@contextmanager
def processes(device: torch.device, *, sharded: bool = False) -> Iterator[Processes]:
    """Join the processes that torchrun started until the block ends, or yield this one alone; each has its own GPU."""
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
        if sharded and not cuda:
            # Torch's caches of sharded tensors keep the group and its threads alive. Before Python 3.14, a thread that
            # drops a tensor while the interpreter ends aborts the process.
            time.sleep(_DRAIN_S)


def _transfer_device() -> torch.device:
    """Return the device on which tensors must be to be sent."""
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


def shard(model: nn.Module, layers: nn.ModuleList, *, bf16: bool) -> None:
    """Shard the model's weights over all processes, layer by layer; each layer is gathered while it computes.

    Args:
        model: called only through its own forward pass, not part by part.
        layers: the layers that are gathered one at a time.
        bf16: whether to multiply in bfloat16; weights and sums of gradients stay float32.
    """
    device = next(model.parameters()).device
    mesh = init_device_mesh(device.type, (torch.distributed.get_world_size(),))
    policy = MixedPrecisionPolicy(torch.bfloat16 if bf16 else None, torch.float32, cast_forward_inputs=False)
    for layer in layers:
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    for part in (model, *layers):
        part.set_gradient_divide_factor(1.0)  # the loss is this process's part of the step's mean already
        part.set_force_sum_reduction_for_comms(enable=True)


def gather_full(value: Any, *, keep: bool) -> Any:  # noqa: ANN401 - a tree of dicts and lists
    """Return a copy of a tree in which every sharded tensor is gathered into a full one, in main memory.

    All processes must call this together. A process with `keep=False` gets None for each tensor, which saves memory.
    """
    if isinstance(value, DTensor):
        gathered = value.full_tensor()
        return gathered.cpu() if keep else None
    if isinstance(value, dict):
        return {name: gather_full(each, keep=keep) for name, each in value.items()}
    return [gather_full(each, keep=keep) for each in value] if isinstance(value, list) else value


def shard_like(value: Tensor, like: Tensor) -> Tensor:
    """Return a full tensor sharded as `like` is, if that is sharded and has the same shape; else unchanged."""
    if isinstance(like, DTensor) and value.shape == like.shape:
        return distribute_tensor(value.to(like.device), like.device_mesh, like.placements)
    return value


def shard_state(state: dict[str, Any], model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
    """Shard the full state of a loop as its model and optimiser are sharded now."""
    sharded = model.state_dict()
    parameters = trainable_parameters(optimiser)
    moments = {
        number: {name: shard_like(each, parameters[number]) for name, each in values.items()}
        for number, values in state["optimiser"]["state"].items()
    }
    return {
        **state,
        "model": {name: shard_like(each, sharded[name]) for name, each in state["model"].items()},
        "optimiser": {**state["optimiser"], "state": moments},
    }
