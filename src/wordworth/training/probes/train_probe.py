"""Train a probe, with early stopping on held-out items and a learning rate that falls when the loss does not.

All probes share this trainer. It takes a probe as a module, and a function that maps the indices of some items
(sentences or texts) to the loss of the probe's predictions for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from torch import nn

from wordworth.progress import STILL, Step
from wordworth.training.batch_sampler import BatchSampler, Numbers
from wordworth.training.loop import BestWeights, Loop, Loss
from wordworth.training.optimizers import AdamW

ProbeLoss = Callable[[Numbers, torch.Generator | None], Loss]
"""From the numbers of some items and a generator that draws dropout (None: no dropout) to the probe's loss on them."""
_MOST_NORM = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeTraining:
    """Settings of the training of a probe.

    Attributes:
        rate: learning rate of AdamW at the start.
        batch_size: items in an update.
        passes: maximal number of passes (epochs) over the training items.
        patience: number of consecutive passes without a lower held-out loss after which training ends.
        decay: factor by which the learning rate is multiplied after each pass without a lower held-out loss.
    """

    rate: float = 0.01
    batch_size: int = 8
    passes: int = 40
    patience: int = 3
    decay: float = 0.3


@dataclass(frozen=True, slots=True)
class ProbeRun:
    """The result of training a probe.

    Attributes:
        losses: mean held-out loss after each pass over the training items.
        best_pass: the number of the pass with the lowest held-out loss, from 1; the probe has the weights after it.
    """

    losses: tuple[float, ...]
    best_pass: int


@dataclass(slots=True)
class _FallingRate:
    """A learning-rate schedule whose factor is set from outside."""

    factor: float = 1.0

    def __call__(self, step: int) -> float:  # noqa: ARG002 - a schedule
        return self.factor


def train_probe(  # noqa: PLR0913 - what decides a training
    probe: nn.Module,
    loss: ProbeLoss,
    items: Numbers,
    held_out: Numbers,
    training: ProbeTraining,
    *,
    seed: int,
    step: Step = STILL,
) -> ProbeRun:
    """Train a probe in place; afterwards it has the weights of the pass with the lowest held-out loss.

    Args:
        probe: the module whose parameters are trained, already initialised.
        loss: function (indices of items, generator) -> loss; the generator is the source of dropout.
        items: int64 [n], the indices of the training items.
        held_out: int64 [m], the indices of other items, whose loss decides when to stop.
        training: learning rate, batch size, and when to stop.
        seed: the seed of the order of items and of dropout.
        step: progress display, advanced by 1 for each training item of each pass; if training stops early, it is also
            advanced by the items of the passes left out.

    Raises:
        Diverged: a loss or gradient is not finite.
    """
    rate, best, losses = _FallingRate(), BestWeights(), list[float]()
    batches = BatchSampler(np.ones(len(items), np.int64), training.batch_size, seed)
    optimiser = AdamW(weight_decay=0.0, epsilon=1e-8).build({probe: training.rate})
    loop = Loop(
        probe, optimiser, rate, batches, lambda of, generator: loss(items[of], generator), max_grad_norm=_MOST_NORM
    )
    without_gain = 0
    while len(losses) < training.passes and without_gain < training.patience:
        for batch, _ in enumerate(islice(loop.run(), batches.batches_per_epoch)):
            step.advance(min(training.batch_size, len(items) - batch * training.batch_size))
        losses.append(mean_loss(loss, held_out, training.batch_size))
        without_gain = 0 if losses[-1] <= min(losses) else without_gain + 1
        rate.factor *= training.decay if without_gain else 1.0
        best.offer(loop, -losses[-1])
    best.restore(loop)
    step.advance(len(items) * (training.passes - len(losses)))
    return ProbeRun(tuple(losses), best.step // batches.batches_per_epoch)


def mean_loss(loss: ProbeLoss, items: Numbers, batch_size: int) -> float:
    """Return the mean loss of a probe over the targets of some items, without dropout; NaN if they have no target.

    Args:
        loss: function (indices of items, generator) -> loss; the generator is None, so that there is no dropout.
        items: int64 [n], the indices of the items.
        batch_size: number of items computed at a time.
    """
    with torch.inference_mode():
        parts = [loss(items[start : start + batch_size], None) for start in range(0, len(items), batch_size)]
    total = sum(part.count for part in parts)
    return sum(float(part.sum) for part in parts) / total if total else float("nan")
