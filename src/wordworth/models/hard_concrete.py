"""Hard concrete gates: random numbers from 0 to 1 that are exactly 0 or 1 often, and through which gradients flow.

Louizos, Welling and Kingma 2018 (arXiv 1712.01312), equations 10 to 12, with the constants that they name.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

TEMPERATURE, LEAST, MOST = 2 / 3, -0.1, 1.1
"""beta, gamma and zeta of the paper."""


def sample_gates(log_alpha: Tensor, generator: torch.Generator) -> Tensor:
    """Draw gates of the shape of `log_alpha`, in [0, 1]; the larger a log_alpha, the nearer to 1.

    Args:
        log_alpha: the location of each gate.
        generator: draws the noise.
    """
    noise = torch.rand(log_alpha.shape, generator=generator).clamp(1e-6, 1 - 1e-6).to(log_alpha)
    concrete = torch.sigmoid((noise.log() - (-noise).log1p() + log_alpha) / TEMPERATURE)
    return _stretched(concrete)


def expected_gates(log_alpha: Tensor) -> Tensor:
    """Return the gates without noise, which take the place of samples once they are learned (equation 13)."""
    return _stretched(torch.sigmoid(log_alpha))


def open_probability(log_alpha: Tensor) -> Tensor:
    """Return the probability that each gate is not 0 (equation 12), whose sum is the expected number of open gates."""
    return torch.sigmoid(log_alpha - TEMPERATURE * math.log(-LEAST / MOST))


def _stretched(concrete: Tensor) -> Tensor:
    return (concrete * (MOST - LEAST) + LEAST).clamp(0, 1)
