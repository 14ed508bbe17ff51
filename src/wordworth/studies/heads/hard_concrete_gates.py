"""Hard concrete gates on attention heads, learned with an L0 penalty (Voita et al. 2019, arXiv 1905.09418, section 6).

A gate is a random factor from 0 to 1 on a head's output. It is often exactly 0 or 1, and gradients flow through it
(Louizos, Welling and Kingma 2018, arXiv 1712.01312, equations 10 to 12). Voita et al. train the whole model with its
gates. Here the model's weights are fixed, so that gates can be compared with other orders of pruning the same model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from wordworth import seeds
from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import Step
from wordworth.tasks.task import Rows
from wordworth.training.finetuning.trainer import FineTunedModel

PASSES = 10
_BATCH, _RATE, _START = 16, 0.1, 2.0
_PRICE = 0.5
"""The penalty when all gates are open, in units of the mean loss.

It is large enough that gates compete, and small beside the loss of a wrong row.
"""
_TEMPERATURE, _LEAST, _MOST = 2 / 3, -0.1, 1.1
"""The parameters beta, gamma and zeta of Louizos et al., with the paper's values."""


def learned_gates(
    tuned: FineTunedModel, shape: tuple[int, int], examples: LabelledInputs, step: Step, seed: int
) -> Floats:
    """Learn a gate on each attention head, and return the probability that each gate is open, float64 [layers, heads].

    Args:
        tuned: the fine-tuned model; its weights are not changed.
        shape: number of layers, and of heads in a layer.
        examples: labelled examples to learn from.
        step: progress step, advanced by the number of examples after each batch.
        seed: seed of the order of examples and of the gates' noise.
    """
    network = tuned.network
    log_alpha = torch.full(shape, _START, device=network.device, requires_grad=True)
    optimiser = torch.optim.Adam([log_alpha], lr=_RATE)
    noise = torch.Generator().manual_seed(seeds.child_seed(seed, "gates"))
    for units in _batches(len(examples), seed):
        gates = sample_gates(log_alpha, noise)
        scores = network(examples.inputs.batch(units).to(network.device), None, None, gates)
        loss = tuned.head.loss(scores, examples.targets, examples.inputs, units)
        price = _PRICE * open_probability(log_alpha).mean()
        (log_alpha.grad,) = torch.autograd.grad(loss.sum / max(1, loss.count) + price, [log_alpha])
        optimiser.step()
        step.advance(len(units))
    probabilities = open_probability(log_alpha.detach()).double().cpu().numpy()
    return np.asarray(probabilities)


def _batches(examples: int, seed: int) -> Iterator[Rows]:
    """Yield batches of indices of examples, in a new random order in each pass."""
    rng = seeds.child(seed, "gates", "order")
    for _ in range(PASSES):
        order = rng.permutation(examples)
        yield from (order[start : start + _BATCH] for start in range(0, examples, _BATCH))


def sample_gates(log_alpha: Tensor, generator: torch.Generator) -> Tensor:
    """Draw a value in [0, 1] for each gate from its hard concrete distribution (Louizos et al., arXiv 1712.01312).

    Args:
        log_alpha: the location of each gate's distribution, of any shape; a larger location gives values nearer to 1.
        generator: random generator of the noise.

    Returns:
        A tensor in the shape of `log_alpha`.
    """
    noise = torch.rand(log_alpha.shape, generator=generator).clamp(1e-6, 1 - 1e-6).to(log_alpha)
    concrete = torch.sigmoid((noise.log() - (-noise).log1p() + log_alpha) / _TEMPERATURE)
    return (concrete * (_MOST - _LEAST) + _LEAST).clamp(0, 1)


def open_probability(log_alpha: Tensor) -> Tensor:
    """Return the probability that each gate on a head is not 0 (equation 12 of Louizos et al., arXiv 1712.01312).

    The sum of the probabilities is the expected number of open gates.

    Args:
        log_alpha: the location of each gate's distribution, of any shape.

    Returns:
        A tensor in the shape of `log_alpha`.
    """
    return torch.sigmoid(log_alpha - _TEMPERATURE * math.log(-_LEAST / _MOST))
