"""Learning-rate schedules, as factors of the peak rate.

A `Curve` is a function of the fraction of training done, so that a run may be planned in steps or by the clock. A
`Schedule` is a function of the step.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Schedule = Callable[[int], float]
"""Maps a step (0 first) to its learning rate as a fraction of the peak."""
Curve = Callable[[float], float]
"""Maps the fraction of training done, 0 to 1, to the learning rate as a fraction of the peak."""


def linear(total: int, warmup: int) -> Schedule:
    """Return the usual learning-rate schedule: the share of the peak rate at each step.

    The share rises to 1 over the first `warmup` steps, then falls linearly to 0 at step `total`.

    Args:
        total: number of steps of the run.
        warmup: number of steps over which the rate rises.

    >>> [linear(1000, 100)(step) for step in (0, 99, 100, 550, 1000)]
    [0.0, 0.99, 1.0, 0.5, 0.0]
    """

    def share(step: int) -> float:
        if step < warmup:
            return step / warmup
        return max(total - step, 0) / max(total - warmup, 1)

    return share


def original(total: int, warmup: int) -> Schedule:
    """Return BERT's own learning-rate schedule (google-research/bert): the share of the peak rate at each step.

    The share rises linearly over the first `warmup` steps. From step `warmup` on it is `1 - step / total`: it jumps
    down at this step, and falls to 0 at step `total`.

    Args:
        total: number of steps of the run.
        warmup: number of steps over which the rate rises.

    >>> [original(1000, 100)(step) for step in (0, 99, 100, 550, 1000)]
    [0.0, 0.99, 0.9, 0.45, 0.0]
    """

    def share(step: int) -> float:
        return step / warmup if step < warmup else round(max(1 - step / total, 0.0), 12)

    return share


def within(schedule: Callable[[int, int], Schedule], steps: int, *, warmup: float = 0.1) -> Schedule:
    """Return a learning-rate schedule for a run of `steps` updates, none of which has the rate 0.

    Args:
        schedule: a function (total steps, warm-up steps) -> schedule, such as `linear`. Its first and its last step, at
            which the rate is 0, are placed before and after the run.
        steps: number of updates.
        warmup: fraction of the steps during which the rate rises; at least one step.
    """
    inner = schedule(steps + 1, max(1, round(warmup * steps)))
    return lambda step: inner(step + 1)


def linear_curve(warmup: float) -> Curve:
    """Return the learning-rate curve that rises to 1 at the fraction `warmup` of training, then falls linearly to 0."""
    return lambda x: x / warmup if x < warmup else (1 - x) / max(1 - warmup, 1e-12)


def original_curve(warmup: float) -> Curve:
    """Return BERT's own learning-rate curve: linear warm-up, then 1 - x at the fraction x of training.

    Like `original`, it jumps down at the end of the warm-up.
    """
    return lambda x: x / warmup if x < warmup else 1 - x


def one_cycle(x: float) -> float:
    """Return the share of the peak learning rate at the fraction x of training, by a one-cycle curve.

    The share rises linearly from 0.25 at x = 0 to 1 at x = 0.75, then falls to 0 at x = 1 ("budget one-cycle" of
    Geiping and Goldstein 2023, arXiv 2212.14034).

    >>> [one_cycle(x) for x in (0, 0.375, 0.75, 1)]
    [0.25, 0.625, 1.0, 0.0]
    """
    return max(0.0, min(0.25 + x, 4 * (1 - x)))


def cosine_curve(warmup: float) -> Curve:
    """Return GPT's learning-rate curve (openai/finetune-transformer-lm): linear warm-up, then half a cosine to 0."""
    return lambda x: x / warmup if x <= warmup and warmup else 0.5 * (1 + math.cos(math.pi * min(x, 1.0)))


def stable_then_decay(warmup: float, decay: float = 0.2) -> Curve:
    """Return the warm-up-stable-decay learning-rate curve: linear warm-up, constant rate, then decay to 0.

    At the fraction d of the decay the rate is 1 - sqrt(d) times its peak.
    Training can be continued from a checkpoint before the decay to a run of any length (Warner et al. 2024, arXiv
    2412.13663, 3.2).

    Args:
        warmup: fraction of training during which the rate rises.
        decay: fraction of training, at its end, during which the rate falls.
    """

    def rate(x: float) -> float:
        if x < warmup:
            return x / warmup
        return 1.0 if x <= 1 - decay else 1 - math.sqrt(min((x - 1 + decay) / decay, 1.0))

    return rate


CURVES: dict[str, Callable[[float], Curve]] = {
    "linear": linear_curve,
    "original": original_curve,
    "one-cycle": lambda _: one_cycle,
    "cosine": cosine_curve,
    "stable": stable_then_decay,
}
"""The curves by name, each built from its warm-up fraction; `one-cycle` ignores it."""
