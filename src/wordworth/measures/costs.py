"""What an answer costs: labels once, texts every month, and the cheapest system that is good enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.sums import Flags, Floats, floats


@dataclass(frozen=True, slots=True)
class DecisionMap:
    """The cheapest adequate rung for each number of labels and of texts a month. All [volumes, sizes].

    Attributes:
        rung: int64, the cheapest whose mean score lies within epsilon of the best at that size; -1 where none is known.
        cost: float64, its total cost; NaN where none is known.
        share: float64, in how many draws it is the cheapest adequate one.
        uncertain: bool, where that share is below the level asked for.
    """

    rung: NDArray[np.int64]
    cost: Floats
    share: Floats
    uncertain: Flags


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


def decide(draws: Floats, costs: Floats, epsilon: float, level: float = 0.95) -> DecisionMap:
    """Which rung to use where.

    Args:
        draws: float64 [rungs, sizes, draws], paired bootstrap draws of each rung's score; NaN where not known.
        costs: float64 [rungs, volumes, sizes] from `total`.
        epsilon: how far behind the best mean score is still adequate, in the metric's units.
        level: a cell is uncertain where fewer draws than this agree on its rung.

    Ties in cost go to the rung that stands first on the ladder.
    """
    known: Flags = np.asarray(np.isfinite(draws).all(axis=2), dtype=np.bool_)
    scores = np.where(known[..., None], draws, -np.inf)
    named = _cheapest(_adequate(scores.mean(axis=2), epsilon)[:, None, :], costs)
    choice = np.where(np.any(known, axis=0), named, -1)
    share = np.zeros(choice.shape)
    for draw in range(draws.shape[2]):
        share += _cheapest(_adequate(scores[..., draw], epsilon)[:, None, :], costs) == choice
    share /= draws.shape[2]
    cost = np.where(choice >= 0, np.take_along_axis(costs, named[None], axis=0)[0], np.nan)
    return DecisionMap(choice.astype(np.int64), floats(cost), share, share < level)


def _adequate(scores: Floats, epsilon: float) -> Flags:
    """Flags [rungs, sizes]: within epsilon of the best at that size, rounding apart."""
    return np.asarray((scores >= scores.max(axis=0) - epsilon - 1e-12) & np.isfinite(scores), dtype=np.bool_)


def _cheapest(adequate: Flags, costs: Floats) -> NDArray[np.int64]:
    """int64 [volumes, sizes]: the adequate rung with the least cost."""
    return np.asarray(np.argmin(np.where(adequate, costs, np.inf), axis=0), dtype=np.int64)
