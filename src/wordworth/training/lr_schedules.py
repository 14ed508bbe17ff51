"""Learning rates over time, as a share of the peak.

A `Curve` is a function of the share of training that has passed, so that a run may be planned in steps or by the clock.
A `Schedule` is one over the steps of a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Schedule = Callable[[int], float]
"""Step (0 first) to the share of the peak rate that its update takes."""
Curve = Callable[[float], float]
"""The passed share of training, 0 to 1, to the share of the peak rate."""


def linear(total: int, warmup: int) -> Schedule:
    """Up over `warmup` steps, down from the peak over the rest: `(total - t) / (total - warmup)`, torch's usual form.

    >>> [linear(1000, 100)(step) for step in (0, 99, 100, 550, 1000)]
    [0.0, 0.99, 1.0, 0.5, 0.0]
    """

    def share(step: int) -> float:
        if step < warmup:
            return step / warmup
        return max(total - step, 0) / max(total - warmup, 1)

    return share


def original(total: int, warmup: int) -> Schedule:
    """As BERT was trained: after the warm-up the rate drops to `1 - t / total` (google-research/bert, optimization.py).

    >>> [original(1000, 100)(step) for step in (0, 99, 100, 550, 1000)]
    [0.0, 0.99, 0.9, 0.45, 0.0]
    """

    def share(step: int) -> float:
        return step / warmup if step < warmup else round(max(1 - step / total, 0.0), 12)

    return share


def within(schedule: Callable[[int, int], Schedule], steps: int, *, warmup: float = 0.1) -> Schedule:
    """The schedule over `steps` updates with no update at rate 0, neither the first nor one past the last.

    `warmup` is the share of the steps, at least one, that rise.
    """
    inner = schedule(steps + 1, max(1, round(warmup * steps)))
    return lambda step: inner(step + 1)


def linear_curve(warmup: float) -> Curve:
    """Up to the peak over the share `warmup`, down to 0 at the end."""
    return lambda x: x / warmup if x < warmup else (1 - x) / max(1 - warmup, 1e-12)


def original_curve(warmup: float) -> Curve:
    """As `original`: half a warm-up and then what is left of the whole, with a drop between them."""
    return lambda x: x / warmup if x < warmup else 1 - x


def one_cycle(x: float) -> float:
    """Geiping and Goldstein 2023 (arXiv 2212.14034), "budget one-cycle": from a quarter, at the peak at 75 %, then 0.

    >>> [one_cycle(x) for x in (0, 0.375, 0.75, 1)]
    [0.25, 0.625, 1.0, 0.0]
    """
    return max(0.0, min(0.25 + x, 4 * (1 - x)))


def cosine_curve(warmup: float) -> Curve:
    """GPT's (openai/finetune-transformer-lm, `opt.py`): after a linear warm-up half a cosine of the whole run."""
    return lambda x: x / warmup if x <= warmup and warmup else 0.5 * (1 + math.cos(math.pi * min(x, 1.0)))


def stable_then_decay(warmup: float, decay: float = 0.2) -> Curve:
    """Warm-up, the peak held, and over the last share `decay` down as 1 - root (Warner et al. 2024, 2412.13663, 3.2).

    What was trained before the decay serves runs of any length.
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
"""By name, each from its share of warm-up; `one-cycle` has its own."""
