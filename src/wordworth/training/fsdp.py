"""A model divided among processes (FSDP2; Zhao et al. 2023, arXiv 2304.11277), and its state as if it were whole."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from wordworth.training.optimizers import trainable_parameters


def shard(model: nn.Module, layers: nn.ModuleList, *, half: bool) -> None:
    """Divide the model's weights among all processes, layer by layer; each is gathered while it computes.

    Args:
        model: whose forward pass is called, and nothing of it alone.
        layers: that are gathered one at a time.
        half: whether products are made in bfloat16; weights and sums of gradients stay float32.
    """
    device = next(model.parameters()).device
    mesh = init_device_mesh(device.type, (torch.distributed.get_world_size(),))
    policy = MixedPrecisionPolicy(torch.bfloat16 if half else None, torch.float32, cast_forward_inputs=False)
    for layer in layers:
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    for part in (model, *layers):
        part.set_gradient_divide_factor(1.0)  # the loss is a share of the step's mean already
        part.set_force_sum_reduction_for_comms(enable=True)


def gather_full(value: Any, *, kept: bool) -> Any:  # noqa: ANN401 - a tree of dicts and lists
    """The same tree with every divided tensor gathered, in main memory: what one process would have.

    All processes must ask; one that does not keep what it gathers has None in its place, and the memory for others.
    """
    if isinstance(value, DTensor):
        gathered = value.full_tensor()
        return gathered.cpu() if kept else None
    if isinstance(value, dict):
        return {name: gather_full(each, kept=kept) for name, each in value.items()}
    return [gather_full(each, kept=kept) for each in value] if isinstance(value, list) else value


def shard_like(value: Tensor, like: Tensor) -> Tensor:
    """A whole tensor, divided as another of the same shape is."""
    if isinstance(like, DTensor) and value.shape == like.shape:
        return distribute_tensor(value.to(like.device), like.device_mesh, like.placements)
    return value


def divided_state(state: dict[str, Any], model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
    """The state of a whole loop, divided as its model is now."""
    there = model.state_dict()
    parameters = trainable_parameters(optimiser)
    moments = {
        number: {name: shard_like(each, parameters[number]) for name, each in values.items()}
        for number, values in state["optimiser"]["state"].items()
    }
    return {
        **state,
        "model": {name: shard_like(each, there[name]) for name, each in state["model"].items()},
        "optimiser": {**state["optimiser"], "state": moments},
    }
