"""Racing: spend less on what cannot win. Two rules, for two situations that must not be confused.

Configurations of one family may be halved on small subsets (`halving`). Rungs of different families may not: contextual
systems lead on few labels and are caught later, so a ranking at few labels is biased against the cheap ones. A rung
leaves the ladder only by `race`: when even its bound, continued in its own favour to all the labels, is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


@dataclass(frozen=True, slots=True)
class Round:
    """One round of halving: how many configurations run, at what budget each."""

    configurations: int
    budget: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """When a rung may be dropped.

    Attributes:
        epsilon: how far behind the best still counts as good enough, in the metric's units.
        level: one-sided level of the bounds; 0.99, since five looks at 0.95 drop an equal rung 12 % of the time, and
            five at 0.99 3 % of the time.
        across: the share of all the labels below which rungs of different families are not compared.
    """

    epsilon: float = 0.01
    level: float = 0.99
    across: float = 0.25


def rounds(configurations: int, eta: int = 3) -> list[Round]:
    """The rounds of successive halving (Jamieson and Talwalkar 2016): 1 / eta go on, with eta times the budget.

    Raises:
        ValueError: no configurations, or eta below 2.
    """
    if configurations < 1 or eta < 2:  # noqa: PLR2004 - with eta 1 nobody is dropped
        raise ValueError(f"halving needs a configuration and eta of at least 2, not {configurations} and {eta}")
    out, budget = [Round(configurations, 1)], 1
    while out[-1].configurations > 1:
        budget *= eta
        out.append(Round(max(1, out[-1].configurations // eta), budget))
    return out


def halving(
    families: Sequence[str], scores: Callable[[Sequence[int], int], Sequence[float]], eta: int = 3, *, safe: bool = True
) -> list[int]:
    """The configurations left after successive halving, best first.

    Args:
        families: of each configuration.
        scores: (configurations, budget) to a number each, larger is better; a round is asked for at once, so that its
            runs may go side by side.
        eta: the share that goes on is 1 / eta.
        safe: halve inside each family, so that one of each is left; otherwise across all, which drops what starts slow.
    """
    groups = [[i for i, one in enumerate(families) if one == name] for name in dict.fromkeys(families)]
    left = [_halved(group, scores, eta) for group in (groups if safe else [list(range(len(families)))])]
    return [one for _, one in sorted(left, key=lambda pair: -pair[0])]


def race(
    draws: Floats,
    labels: Integers,
    goal: int,
    families: Sequence[str],
    rule: Rule = Rule(),
) -> dict[int, str]:
    """The rungs that cannot come within epsilon of the best, each with the reason.

    A rung's hope is the upper bound of its gap to the leader at the last size, plus its best gain on the leader in one
    doubling so far (again an upper bound, at least 0) for every doubling up to `goal`. It is dropped where that hope
    stays below -epsilon. Only leaders of its own family count before a quarter of the labels (`Rule.across`).

    Args:
        draws: float64 [rungs, draws, sizes], paired bootstrap draws of the mean score, NaN where not measured.
        labels: int64 [sizes], increasing, measured so far.
        goal: all the labels there are.
        families: of each rung.
        rule: the levels.

    Returns:
        By rung dropped, why. The leader is never dropped.
    """
    last = draws[:, :, -1].mean(axis=1)
    early = labels[-1] < rule.across * goal
    measured: list[int] = np.flatnonzero(~np.isnan(last)).tolist()
    out: dict[int, str] = {}
    for rung in measured:
        rivals = [i for i in measured if not early or families[i] == families[rung]]
        leader = max(rivals, key=lambda i: last[i])
        if leader != rung:
            hope = _hope(draws[rung] - draws[leader], labels, goal, rule.level)
            if hope < -rule.epsilon:
                behind = 100 * float(last[leader] - last[rung])
                out[rung] = (
                    f"at {labels[-1]} labels it is {behind:.1f} points behind; even at its best pace"
                    f" it would end {-100 * hope:.1f} points behind at {goal}, more than {100 * rule.epsilon:.1f}"
                )
    return out


def _hope(gap: Floats, labels: Integers, goal: int, level: float) -> float:
    """The largest gap to the leader that can be hoped for at `goal` labels; gap float64 [draws, sizes]."""
    bound = float(np.quantile(gap[:, -1], level))
    doublings = np.log2(np.asarray(labels, dtype=np.float64))
    steps = (
        np.quantile(np.diff(gap, axis=1) / np.diff(doublings), level, axis=0) if len(labels) > 1 else np.array([np.inf])
    )
    ahead = float(np.log2(goal / labels[-1]))
    pace = max(0.0, float(np.nanmax(steps))) if not np.isnan(steps).all() else np.inf
    return bound if ahead <= 0 else bound + pace * ahead


def _halved(group: list[int], scores: Callable[[Sequence[int], int], Sequence[float]], eta: int) -> tuple[float, int]:
    """The score and number of the configuration of a group that halving leaves."""
    ranked: Mapping[int, float] = {}
    left = group
    for each in rounds(len(group), eta):
        left = left[: each.configurations]
        ranked = dict(zip(left, scores(left, each.budget), strict=True))
        left = sorted(left, key=lambda one: -ranked[one])
    return ranked[left[0]], left[0]
