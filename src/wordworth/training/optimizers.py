"""Adam with weight decay on matrices only, not on biases and norms: today's AdamW, and BERT's own variant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

_LONG_AGO = 1e9
"""A step count at which Adam's bias correction is over: 0.999 to its power is 0."""


class Optimiser(Protocol):
    """The interface of the settings from which an optimiser is built."""

    @property
    def weight_decay(self) -> float:
        """The weight decay w: at the learning rate r, a step multiplies the decaying weights by 1 - r · w."""

    def build(self, rates: Mapping[nn.Module, float]) -> torch.optim.AdamW:
        """Build the optimiser of some modules.

        Args:
            rates: the modules to train, each with its peak learning rate.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019) and bias correction (Mosbach et al. 2021, 4.1).

    Attributes:
        weight_decay: the decay of matrices and embeddings; vectors (biases and norms) do not decay (Devlin et al. 2019,
            code).
        epsilon: the number that is added to the square root of the second moment.
    """

    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-6

    def build(self, rates: Mapping[nn.Module, float]) -> torch.optim.AdamW:
        """Build the optimiser; parameters without gradient are left out.

        Each parameter group holds its peak learning rate as `peak`, which a schedule scales.

        Args:
            rates: the modules to train, each with its peak learning rate.
        """
        groups = [group for module, rate in rates.items() for group in self._groups(module.parameters(), rate)]
        return torch.optim.AdamW(groups, betas=self.betas, eps=self.epsilon, fused=True)

    def _groups(self, parameters: Iterable[nn.Parameter], rate: float) -> list[dict[str, Any]]:
        trainable = [parameter for parameter in parameters if parameter.requires_grad]
        decayed = [parameter for parameter in trainable if parameter.ndim > 1]
        plain = [parameter for parameter in trainable if parameter.ndim <= 1]
        shared = {"lr": rate, "peak": rate}
        groups = ({"params": decayed, "weight_decay": self.weight_decay}, {"params": plain, "weight_decay": 0.0})
        return [shared | group for group in groups if group["params"]]


@dataclass(frozen=True, kw_only=True, slots=True)
class BertAdam:
    """BERT's own optimiser (`optimization.py` of google-research/bert): AdamW without bias correction.

    `p -= lr * (m / (sqrt(v) + epsilon) + weight_decay * p)`. The first steps are up to 6.6 times as large as AdamW's,
    which a long warm-up hides.
    """

    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-6

    def build(self, rates: Mapping[nn.Module, float]) -> torch.optim.AdamW:
        """Build BERT's own optimiser; parameters without gradient are left out.

        Each parameter group holds its peak learning rate as `peak`, which a schedule scales. The optimiser is torch's
        fused AdamW with a step count so high that the bias correction is 1, which gives BERT's formula.

        Args:
            rates: the modules to train, each with its peak learning rate.
        """
        settings = AdamW(weight_decay=self.weight_decay, betas=self.betas, epsilon=self.epsilon)
        optimiser = settings.build(rates)
        for parameter in trainable_parameters(optimiser):
            init_state(optimiser, parameter, _LONG_AGO)
        return optimiser


def trainable_parameters(optimiser: torch.optim.Optimizer) -> list[nn.Parameter]:
    """Return the parameters that an optimiser updates, in the order of its groups."""
    return [parameter for group in optimiser.param_groups for parameter in group["params"]]


def init_state(optimiser: torch.optim.AdamW, parameter: Tensor, steps: float = 0) -> dict[str, Tensor]:
    """Return an optimiser's state of a parameter; if the parameter has no state yet, make one.

    Args:
        optimiser: the optimiser.
        parameter: a parameter of any shape.
        steps: the step count of a new state.

    Returns:
        `step` -> the step count; `exp_avg` and `exp_avg_sq` -> Adam's moments, in the shape of the parameter.
    """
    state: dict[str, Tensor] = optimiser.state[parameter]
    if not state:
        state["step"] = torch.tensor(steps, dtype=torch.float32, device=parameter.device)
        state |= {name: torch.zeros_like(parameter) for name in ("exp_avg", "exp_avg_sq")}
    return state


def summary(optimiser: torch.optim.Optimizer) -> list[dict[str, float | int]]:
    """Return for each parameter group a row for the log: numbers of tensors and of values, peak rate, weight decay."""
    return [
        {
            "tensors": len(group["params"]),
            "numbers": sum(parameter.numel() for parameter in group["params"]),
            "peak": group["peak"],
            "weight_decay": group["weight_decay"],
        }
        for group in optimiser.param_groups
    ]
