"""The exact confidence interval of a share: how often something happens, from how often it was seen."""

from __future__ import annotations

from scipy.special import betaincinv

from wordworth.measures.bootstrap import Interval


def exact_interval(seen: int, trials: int, level: float = 0.95) -> Interval:
    """Return the interval of Clopper and Pearson (1934) of a probability, which holds it at least so often.

    Where nothing was seen, it still reaches up to 1 - ((1 - level) / 2)^(1 / trials).

    Args:
        seen: how often it happened, from 0 to `trials`.
        trials: independent trials, 1 or more.
        level: two-sided level.
    """
    tail = (1 - level) / 2
    low = float(betaincinv(seen, trials - seen + 1, tail)) if seen else 0.0
    high = float(betaincinv(seen + 1, trials - seen, 1 - tail)) if seen < trials else 1.0
    return Interval(low, high)
