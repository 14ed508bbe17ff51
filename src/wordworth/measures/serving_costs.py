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
        fixed: float64 [systems, sizes], what is paid once for each system and number of labelled examples: training and
            set-up.
        text: float64 [systems], price of predicting one text with each system.
        months: how many months the system is in use.
    """

    label: float
    fixed: Floats
    text: Floats
    months: float = 12.0


def per_text(hourly_price: float, texts_per_second: float) -> float:
    """Return the price of predicting one text on a machine, from its price per hour and its speed.

    Args:
        hourly_price: the price of the machine per hour.
        texts_per_second: the number of texts that the machine predicts per second.
    """
    return hourly_price / 3600 / texts_per_second


def total(prices: Prices, labels: Floats, monthly: Floats) -> Floats:
    """Return the total cost of each system: cost of its labels, fixed cost and cost of the texts of all months.

    Args:
        prices: the prices of labels, systems and texts.
        labels: float64 [sizes], numbers of labelled examples.
        monthly: float64 [volumes], numbers of texts per month.

    Returns:
        float64 [systems, volumes, sizes], in the currency of the prices.
    """
    once = prices.label * np.asarray(labels, dtype=np.float64) + prices.fixed
    served = prices.months * np.asarray(monthly, dtype=np.float64) * prices.text[:, None]
    return floats(once[:, None, :] + served[:, :, None])


def break_even(once_more: Floats | float, text_less: Floats | float) -> Floats:
    """Return the number of texts from which a system that costs more at the start but less per text is cheaper.

    The number is infinite if the system is not cheaper per text, and 0 if it costs no more than the other at the start
    and per text. If it is cheaper at the start but dearer per text, swap the two systems.

    Args:
        once_more: how much more the system costs at the start than the other; a number or an array of any shape.
        text_less: how much less it costs per text than the other, in the same shape.

    Returns:
        float64 in the shape of the arguments.
    """
    extra_cost, saving = np.broadcast_arrays(floats(once_more), floats(text_less))
    texts = np.divide(extra_cost, saving, out=np.full(extra_cost.shape, np.inf), where=saving > 0)
    return floats(np.where((extra_cost <= 0) & (saving >= 0), 0.0, np.maximum(texts, 0.0)))


def cheapest(candidates: Flags, costs: Floats, tie: float = 0.01) -> NDArray[np.int64]:
    """Return the index of the cheapest system for each volume of texts and number of labels, int64 [volumes, sizes].

    The index is -1 if no system may be chosen at a number of labelled examples.

    Args:
        candidates: bool [systems, sizes], whether each system may be chosen at each number of labelled examples.
        costs: float64 [systems, volumes, sizes], the total costs that `total` returns.
        tie: costs up to this share above the least count as equal, and the first such system is chosen, since so small
            a difference is no reason to change systems.
    """
    open_costs = np.where(candidates[:, None, :], costs, np.inf)
    least = open_costs.min(axis=0)
    tied = open_costs <= least * (1 + tie) + 1e-12
    return np.where(np.isfinite(least), np.argmax(tied, axis=0), -1).astype(np.int64)
