"""Shard a model over the processes of a run (FSDP), and gather its state into the form of an unsharded model.

Sharding is FSDP2's (Zhao et al. 2023, arXiv 2304.11277). Importing FSDP2 takes almost a second, so only sharded runs
import this module.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from wordworth.training.optimizers import trainable_parameters


def shard(model: nn.Module, layers: nn.ModuleList, *, bf16: bool) -> None:
    """Divide a model's weights among all processes by FSDP, layer by layer; a layer is gathered while it computes.

    Args:
        model: the model; from then on it must be called as a whole, since only its own forward pass gathers weights.
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
    """Return a copy of nested containers in which every sharded tensor is gathered to a full one, in main memory.

    All processes must call this function together. A process that passes `keep=False` gets None for each tensor, to
    save memory.

    Args:
        value: a tensor, or nested dicts, lists and tuples with tensors.
        keep: whether this process gets the tensors.
    """
    if isinstance(value, DTensor):
        gathered = value.full_tensor()
        return gathered.cpu() if keep else None
    if isinstance(value, dict):
        return {name: gather_full(each, keep=keep) for name, each in value.items()}
    return [gather_full(each, keep=keep) for each in value] if isinstance(value, list) else value


def shard_like(value: Tensor, like: Tensor) -> Tensor:
    """Shard a full tensor like another tensor; return it unchanged if `like` is not sharded or has another shape.

    Args:
        value: the full tensor, of any shape.
        like: the other tensor, of any shape.

    Returns:
        A tensor in the shape of `value`.
    """
    if isinstance(like, DTensor) and value.shape == like.shape:
        return distribute_tensor(value.to(like.device), like.device_mesh, like.placements)
    return value


def shard_state(state: dict[str, Any], model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
    """Return a gathered state of a `Loop` with its tensors sharded as the model and the optimiser are now.

    Args:
        state: the state, as `gather_full` returns it.
        model: the sharded model.
        optimiser: its optimiser.
    """
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
