"""Costs of systems (labels once, texts every month), and the cheapest of the systems that are good enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Flags, Floats, floats


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """Prices, all in one currency.

    Attributes:
        label: price of one label.
        fixed: float64 [rungs, sizes], paid once for each rung (system) and number of labels: training, set-up.
        text: float64 [rungs], price of predicting one text.
        months: how long the system serves.
    """

    label: float
    fixed: Floats
    text: Floats
    months: float = 12.0


def per_text(hourly_price: float, texts_per_second: float) -> float:
    """Return the price of one text on a machine with this price per hour."""
    return hourly_price / 3600 / texts_per_second


def total(prices: Prices, labels: Floats, monthly: Floats) -> Floats:
    """Return the total cost, labels + fixed + texts over all months, float64 [rungs, volumes, sizes]."""
    once = prices.label * np.asarray(labels, dtype=np.float64) + prices.fixed
    served = prices.months * np.asarray(monthly, dtype=np.float64) * prices.text[:, None]
    return floats(once[:, None, :] + served[:, :, None])


def break_even(once_more: Floats | float, text_less: Floats | float) -> Floats:
    """Return the number of texts from which lower costs per text have paid for higher costs at the start.

    It is infinite for a system that is not cheaper per text, and 0 for one that costs no more at the start nor per
    text. For a system that is cheaper at the start but not per text, swap the two systems.

    Args:
        once_more: how much more the system costs at the start than the other.
        text_less: how much less it costs per text than the other.
    """
    extra_cost, saving = np.broadcast_arrays(floats(once_more), floats(text_less))
    texts = np.divide(extra_cost, saving, out=np.full(extra_cost.shape, np.inf), where=saving > 0)
    return floats(np.where((extra_cost <= 0) & (saving >= 0), 0.0, np.maximum(texts, 0.0)))


def cheapest(candidates: Flags, costs: Floats, tie: float = 0.01) -> NDArray[np.int64]:
    """Return the index of the cheapest candidate, int64 [volumes, sizes]; -1 where a size has no candidate.

    Args:
        candidates: bool [rungs, sizes], whether each rung (system) may be chosen; rungs in the order of the ladder.
        costs: float64 [rungs, volumes, sizes] from `total`.
        tie: costs up to this share above the least count as equal, and the first such rung on the ladder is chosen,
            since such a difference is no reason to change systems.
    """
    open_costs = np.where(candidates[:, None, :], costs, np.inf)
    least = open_costs.min(axis=0)
    tied = open_costs <= least * (1 + tie) + 1e-12
    return np.where(np.isfinite(least), np.argmax(tied, axis=0), -1).astype(np.int64)
