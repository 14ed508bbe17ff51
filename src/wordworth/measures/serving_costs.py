"""What an answer costs: labels once, texts every month, and the cheapest system of those that are good enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Flags, Floats, floats


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """What things cost, in one currency.

    Attributes:
        label: one label.
        fixed: float64 [rungs, sizes], once: training, set-up.
        text: float64 [rungs], one text served.
        months: how long the system serves.
    """

    label: float
    fixed: Floats
    text: Floats
    months: float = 12.0


def per_text(hourly_price: float, texts_per_second: float) -> float:
    """The price of one text on a machine that costs so much an hour."""
    return hourly_price / 3600 / texts_per_second


def total(prices: Prices, labels: Floats, monthly: Floats) -> Floats:
    """float64 [rungs, volumes, sizes]: labels + fixed + texts over all months."""
    once = prices.label * np.asarray(labels, dtype=np.float64) + prices.fixed
    served = prices.months * np.asarray(monthly, dtype=np.float64) * prices.text[:, None]
    return floats(once[:, None, :] + served[:, :, None])


def break_even(once_more: Floats | float, text_less: Floats | float) -> Floats:
    """Texts after which a system that costs `once_more` at the start and `text_less` less a text has paid off.

    Infinite where it never does (no cheaper a text), 0 where it costs no more to begin with and is no dearer a text.
    A system that starts cheaper but serves dearer is the other system's question: turn it round.
    """
    more, less = np.broadcast_arrays(floats(once_more), floats(text_less))
    paid = np.divide(more, less, out=np.full(more.shape, np.inf), where=less > 0)
    return floats(np.where((more <= 0) & (less >= 0), 0.0, np.maximum(paid, 0.0)))


def cheapest(candidates: Flags, costs: Floats, tie: float = 0.01) -> NDArray[np.int64]:
    """int64 [volumes, sizes]: the candidate with the least cost; -1 where a size has no candidate.

    Args:
        candidates: bool [rungs, sizes], who may be named; rungs in the order of the ladder.
        costs: float64 [rungs, volumes, sizes] from `total`.
        tie: costs this share above the least count as equal to it, and the rung that stands first on the ladder is
            named: nobody changes systems for a hundredth of a cent.
    """
    open_costs = np.where(candidates[:, None, :], costs, np.inf)
    least = open_costs.min(axis=0)
    level = open_costs <= least * (1 + tie) + 1e-12
    return np.where(np.isfinite(least), np.argmax(level, axis=0), -1).astype(np.int64)
