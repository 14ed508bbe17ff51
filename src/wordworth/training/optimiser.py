"""AdamW with decay where it belongs: on matrices, not on biases and norms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True, kw_only=True, slots=True)
class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019) and bias correction (Mosbach et al. 2021, 4.1).

    Attributes:
        weight_decay: of matrices and tables; biases and norms, which are vectors, have none (Devlin et al. 2019, code).
        epsilon: added to the root of the second moment.
    """

    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-6

    def build(self, rates: Mapping[nn.Module, float]) -> torch.optim.AdamW:
        """The optimiser of some modules, each with its own peak learning rate; what needs no gradient is left out.

        The peak stays in each group as `peak`, for a schedule to scale.
        """
        groups = [group for module, rate in rates.items() for group in self._groups(module.parameters(), rate)]
        return torch.optim.AdamW(groups, betas=self.betas, eps=self.epsilon, fused=True)

    def _groups(self, parameters: Iterable[nn.Parameter], rate: float) -> list[dict[str, Any]]:
        learned = [parameter for parameter in parameters if parameter.requires_grad]
        decayed = [parameter for parameter in learned if parameter.ndim > 1]
        plain = [parameter for parameter in learned if parameter.ndim <= 1]
        shared = {"lr": rate, "peak": rate}
        groups = ({"params": decayed, "weight_decay": self.weight_decay}, {"params": plain, "weight_decay": 0.0})
        return [shared | group for group in groups if group["params"]]
