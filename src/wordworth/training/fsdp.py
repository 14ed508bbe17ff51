"""A model sharded over processes (FSDP2; Zhao et al. 2023, arXiv 2304.11277), and its full state."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from wordworth.training.optimizers import trainable_parameters


def shard(model: nn.Module, layers: nn.ModuleList, *, half: bool) -> None:
    """Shard the model's weights over all processes, layer by layer; each layer is gathered while it computes.

    Args:
        model: called only through its own forward pass, not part by part.
        layers: the layers that are gathered one at a time.
        half: whether to multiply in bfloat16; weights and sums of gradients stay float32.
    """
    device = next(model.parameters()).device
    mesh = init_device_mesh(device.type, (torch.distributed.get_world_size(),))
    policy = MixedPrecisionPolicy(torch.bfloat16 if half else None, torch.float32, cast_forward_inputs=False)
    for layer in layers:
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    for part in (model, *layers):
        part.set_gradient_divide_factor(1.0)  # the loss is this process's part of the step's mean already
        part.set_force_sum_reduction_for_comms(enable=True)


def gather_full(value: Any, *, kept: bool) -> Any:  # noqa: ANN401 - a tree of dicts and lists
    """Return the same tree with every sharded tensor gathered in main memory, as one process would have it.

    All processes must call this together; one with `kept=False` gets None in place of each tensor and saves the memory.
    """
    if isinstance(value, DTensor):
        gathered = value.full_tensor()
        return gathered.cpu() if kept else None
    if isinstance(value, dict):
        return {name: gather_full(each, kept=kept) for name, each in value.items()}
    return [gather_full(each, kept=kept) for each in value] if isinstance(value, list) else value


def shard_like(value: Tensor, like: Tensor) -> Tensor:
    """Return a full tensor sharded as `like` is, if that is sharded and has the same shape; else unchanged."""
    if isinstance(like, DTensor) and value.shape == like.shape:
        return distribute_tensor(value.to(like.device), like.device_mesh, like.placements)
    return value


def divided_state(state: dict[str, Any], model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
    """Return the full state of a loop, sharded as its model and optimiser are now."""
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
