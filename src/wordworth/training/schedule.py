"""Learning rates over time, as a share of the peak: warm-up from 0, then linearly down to 0."""

from __future__ import annotations

from collections.abc import Callable

Schedule = Callable[[int], float]
"""Step (0 first) to the share of the peak rate that its update takes."""


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
