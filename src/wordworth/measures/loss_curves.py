"""Figures of a loss along the line from the start (0) to the end of a training (1): its fall, and its basin's width.

Hao et al. 2019 (arXiv 1908.05620), section 3.
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats


def falling_share(positions: Floats, losses: Floats) -> Floats:
    """Return the share of segments from the start of a training (position 0) to its end (1) in which the loss falls.

    Args:
        positions: float64 [points], ascending, with 0 and 1 among them; they lie on the line from the weights at the
            start to those at the end.
        losses: float64 [..., points], the loss at each position.

    Returns:
        float64 [...].
    """
    inside = (positions >= 0) & (positions <= 1)
    steps = np.diff(losses[..., inside], axis=-1)
    return floats((steps < 0).mean(-1))


def basin_width(positions: Floats, losses: Floats, factor: float = 2.0) -> Floats:
    """Return the width of the interval around position 1 with losses under `factor` times the loss at 1: float64 [...].

    Between points the loss is interpolated linearly. If the interval reaches the first or last point, the result is a
    lower bound.

    Args:
        positions: float64 [points], ascending, with 1 among them.
        losses: float64 [..., points].
        factor: multiple of the loss at 1 that bounds the basin.
    """
    end = int(np.argmin(np.abs(positions - 1)))
    flat = losses.reshape(-1, len(positions))
    sides = (slice(end, None), slice(end, None, -1))
    widths = [sum(_reach(positions[side], row[side], factor) for side in sides) for row in flat]
    return floats(widths).reshape(losses.shape[:-1])


def reaches_end(positions: Floats, losses: Floats, factor: float = 2.0) -> bool:
    """Return whether the interval of `basin_width` reaches the first or last point, so that the basin may be wider.

    Args:
        positions: float64 [points], ascending, with 1 among them.
        losses: float64 [points].
        factor: multiple of the loss at 1 that bounds the basin.
    """
    end = int(np.argmin(np.abs(positions - 1)))
    below = losses < factor * losses[end]
    return bool(below[: end + 1].all() or below[end:].all())


def _reach(positions: Floats, losses: Floats, factor: float) -> float:
    """Return how far from the first point the loss stays under `factor` times that there."""
    limit = factor * losses[0]
    above = np.flatnonzero(losses >= limit)
    if not len(above) or above[0] == 0:
        return 0.0 if len(above) else float(abs(positions[-1] - positions[0]))
    last = int(above[0]) - 1
    share = (limit - losses[last]) / (losses[last + 1] - losses[last])
    return float(abs(positions[last] + share * (positions[last + 1] - positions[last]) - positions[0]))
