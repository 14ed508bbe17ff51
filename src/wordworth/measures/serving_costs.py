"""Costs of a system: labels once, texts every month; and the cheapest of the systems that are good enough."""

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
        fixed: float64 [rungs, sizes], paid once: training, set-up.
        text: float64 [rungs], price of one text served.
        months: how long the system serves.
    """

    label: float
    fixed: Floats
    text: Floats
    months: float = 12.0


def per_text(hourly_price: float, texts_per_second: float) -> float:
    """Price of one text on a machine with this price per hour."""
    return hourly_price / 3600 / texts_per_second


def total(prices: Prices, labels: Floats, monthly: Floats) -> Floats:
    """float64 [rungs, volumes, sizes]: total cost, labels + fixed + texts over all months."""
    once = prices.label * np.asarray(labels, dtype=np.float64) + prices.fixed
    served = prices.months * np.asarray(monthly, dtype=np.float64) * prices.text[:, None]
    return floats(once[:, None, :] + served[:, :, None])


def break_even(once_more: Floats | float, text_less: Floats | float) -> Floats:
    """Number of texts after which a system that costs `once_more` at the start saves it by `text_less` per text.

    Infinite where it never does (it is not cheaper per text), 0 where it costs no more at the start nor per text. For a
    system that starts cheaper but serves at a higher price, swap the two systems.
    """
    extra_cost, saving = np.broadcast_arrays(floats(once_more), floats(text_less))
    texts = np.divide(extra_cost, saving, out=np.full(extra_cost.shape, np.inf), where=saving > 0)
    return floats(np.where((extra_cost <= 0) & (saving >= 0), 0.0, np.maximum(texts, 0.0)))


def cheapest(candidates: Flags, costs: Floats, tie: float = 0.01) -> NDArray[np.int64]:
    """int64 [volumes, sizes]: index of the candidate with the least cost; -1 where a size has no candidate.

    Args:
        candidates: bool [rungs, sizes], which rungs may be chosen; rungs in the order of the ladder.
        costs: float64 [rungs, volumes, sizes] from `total`.
        tie: costs up to this share above the least count as equal to it, and the first such rung on the ladder is
            chosen: nobody changes systems for a hundredth of a cent.
    """
    open_costs = np.where(candidates[:, None, :], costs, np.inf)
    least = open_costs.min(axis=0)
    tied = open_costs <= least * (1 + tie) + 1e-12
    return np.where(np.isfinite(least), np.argmax(tied, axis=0), -1).astype(np.int64)
