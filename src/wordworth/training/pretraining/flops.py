"""FLOPs of a training step, and the machine's peak FLOP/s."""

from __future__ import annotations

import time

import torch
from torch import nn

from wordworth.training.pretraining.model import PretrainingModel, StepMetrics

_SMALLEST, _LARGEST, _LARGEST_ON_GPU = 256, 2048, 8192
_TIMES, _LONG_S = 5, 0.2


def matmul_peak(dtype: torch.dtype, device: torch.device) -> float:
    """Return FLOP/s: the best of a few square matrix products, with torch's current number of threads.

    The matrices grow until a product takes long: where this dtype is emulated, a large one would take minutes.
    """
    side, best = _SMALLEST, 0.0
    largest = _LARGEST_ON_GPU if device.type == "cuda" else _LARGEST
    while side <= largest:
        seconds = _product(side, dtype, device)
        best = max(best, 2 * side**3 / seconds)
        if seconds > _LONG_S:
            break
        side *= 2
    return best


def _product(side: int, dtype: torch.dtype, device: torch.device) -> float:
    """Return the seconds that a product of two square matrices takes, the least of a few."""
    a, b = (torch.randn(side, side, device=device).to(dtype) for _ in range(2))
    seconds = []
    for _ in range(_TIMES):
        began = time.perf_counter()
        a @ b
        if device.type == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def operations(network: PretrainingModel, tally: StepMetrics) -> float:
    """Return the FLOPs of the forward and backward passes over a step, without padding.

    6 for each weight of a matrix and each token that it multiplies, 12 x layers x width for each pair of tokens that
    attend to each other, 6 for each weight of the output layer and each target (Kaplan et al. 2020, appendix B).
    """
    encoder = network.encoder
    inner = sum(each.numel() for name, each in _matrices(encoder) if "embedding" not in name and "pooler" not in name)
    width, vocabulary = encoder.width, encoder.config.vocab_size
    attention = 12 * encoder.depth * width * tally.pairs if encoder.config.has_attention else 0.0
    return 6 * inner * tally.tokens + attention + 6 * (width * vocabulary + width * width) * tally.asked


def _matrices(module: object) -> list[tuple[str, nn.Parameter]]:
    assert isinstance(module, nn.Module)  # noqa: S101 - every encoder is one
    return [(name, each) for name, each in module.named_parameters() if each.ndim > 1]
