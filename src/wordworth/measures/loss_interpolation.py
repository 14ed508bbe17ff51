"""The loss on the line from the weights before a training (0) to the weights after it (1): its fall and its basin.

Hao et al. 2019 (arXiv 1908.05620), section 3.
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats

FACTOR = 2.0
"""Multiple of the loss at the end of the training that bounds the basin."""


def falling_share(positions: Floats, losses: Floats) -> Floats:
    """Return the share of segments in which the loss falls, on the line from the start of a training to its end.

    A segment lies between two neighbouring positions from 0 to 1.

    Args:
        positions: float64 [points], ascending, with 0 and 1 among them; 0 stands for the weights at the start, 1 for
            the weights at the end, other numbers for points on the line through both.
        losses: float64 [..., points], the loss at each position.

    Returns:
        The shares, float64 [...].
    """
    inside = (positions >= 0) & (positions <= 1)
    steps = np.diff(losses[..., inside], axis=-1)
    return floats((steps < 0).mean(-1))


def basin_width(positions: Floats, losses: Floats) -> Floats:
    """Return the width of the basin of low loss around the end of a training, float64 [...].

    The basin is the interval of positions around 1 with losses under `FACTOR` times the loss at 1. Between points the
    loss is interpolated linearly. If the interval reaches the first or last point, the result is a lower bound.

    Args:
        positions: float64 [points], ascending positions on a line through the weights at the end of the training, which
            have the position 1; 1 is among them.
        losses: float64 [..., points], the loss at each position.
    """
    end = int(np.argmin(np.abs(positions - 1)))
    flat = losses.reshape(-1, len(positions))
    sides = (slice(end, None), slice(end, None, -1))
    widths = [sum(_reach(positions[side], row[side]) for side in sides) for row in flat]
    return floats(widths).reshape(losses.shape[:-1])


def reaches_end(positions: Floats, losses: Floats) -> bool:
    """Return whether the basin of `basin_width` reaches the first or last position, so that it may be wider.

    Args:
        positions: float64 [points], ascending, with 1, the end of the training, among them.
        losses: float64 [points], the loss at each position.
    """
    end = int(np.argmin(np.abs(positions - 1)))
    below = losses < FACTOR * losses[end]
    return bool(below[: end + 1].all() or below[end:].all())


def _reach(positions: Floats, losses: Floats) -> float:
    """Return how far from the first position the loss stays under `FACTOR` times the loss at the first position."""
    limit = FACTOR * losses[0]
    above = np.flatnonzero(losses >= limit)
    if not len(above) or above[0] == 0:
        return 0.0 if len(above) else float(abs(positions[-1] - positions[0]))
    last = int(above[0]) - 1
    share = (limit - losses[last]) / (losses[last + 1] - losses[last])
    return float(abs(positions[last] + share * (positions[last + 1] - positions[last]) - positions[0]))
