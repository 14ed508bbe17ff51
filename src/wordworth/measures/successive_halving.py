"""Racing: spend less on what cannot win. Two rules, for two situations that must be kept apart.

Configurations of one family may be halved on small subsets (`halving`). Rungs of different families may not: contextual
systems lead on few labels and are caught up later, so a ranking at few labels is biased against the cheap ones. A rung
leaves the ladder only by `race`: when even its upper bound, extrapolated in its favour to all labels, is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


@dataclass(frozen=True, slots=True)
class Round:
    """One round of halving: the number of configurations that run, and the budget of each."""

    configurations: int
    budget: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """When a rung may be dropped.

    Attributes:
        epsilon: how far behind the best still counts as good enough, in the metric's units.
        level: one-sided level of the bounds; 0.99, since five tests at 0.95 drop an equal rung 12 % of the time, and
            five at 0.99 3 % of the time.
        across: share of all the labels below which rungs of different families are not compared.
    """

    epsilon: float = 0.01
    level: float = 0.99
    across: float = 0.25


def rounds(configurations: int, eta: int = 3) -> list[Round]:
    """Plan the rounds of successive halving (Jamieson and Talwalkar 2016): 1 / eta go on, with eta times the budget.

    Raises:
        ValueError: there are no configurations, or eta is below 2.
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
    """Run successive halving; return the indices of the configurations left, best first.

    Args:
        families: the family of each configuration.
        scores: (configurations, budget) -> one score each, larger is better; a round is requested at once, so that
            its runs may go in parallel.
        eta: the share that goes on is 1 / eta.
        safe: halve inside each family, so that one of each is left; otherwise across all, which drops slow starters.
    """
    groups = [[i for i, family in enumerate(families) if family == name] for name in dict.fromkeys(families)]
    winners = [_halved(group, scores, eta) for group in (groups if safe else [list(range(len(families)))])]
    return [configuration for _, configuration in sorted(winners, key=lambda pair: -pair[0])]


def race(
    draws: Floats,
    labels: Integers,
    goal: int,
    families: Sequence[str],
    rule: Rule = Rule(),
) -> dict[int, str]:
    """Find the rungs that cannot come within epsilon of the best, each with the reason.

    A rung's best case is the upper bound of its gap to the leader at the last size, plus its best gain on the leader in
    one doubling so far (again an upper bound, at least 0) for every doubling up to `goal`. It is dropped where that
    best case stays below -epsilon. Only leaders of its own family count before a quarter of the labels (`Rule.across`).

    Args:
        draws: float64 [rungs, draws, sizes], paired bootstrap draws of the mean score, NaN where not measured.
        labels: int64 [sizes], increasing, the sizes measured so far.
        goal: number of all labels.
        families: the family of each rung.
        rule: margin and levels.

    Returns:
        The reason by index of each rung dropped. The leader is never dropped.
    """
    last = draws[:, :, -1].mean(axis=1)
    early = labels[-1] < rule.across * goal
    measured: list[int] = np.flatnonzero(~np.isnan(last)).tolist()
    out: dict[int, str] = {}
    for rung in measured:
        rivals = [i for i in measured if not early or families[i] == families[rung]]
        leader = max(rivals, key=lambda i: last[i])
        if leader != rung:
            best_case = _best_case(draws[rung] - draws[leader], labels, goal, rule.level)
            if best_case < -rule.epsilon:
                behind = 100 * float(last[leader] - last[rung])
                out[rung] = (
                    f"at {labels[-1]} labels it is {behind:.1f} points behind; even at its best pace"
                    f" it would end {-100 * best_case:.1f} points behind at {goal}, more than {100 * rule.epsilon:.1f}"
                )
    return out


def _best_case(gap: Floats, labels: Integers, goal: int, level: float) -> float:
    """Upper bound of the gap to the leader at `goal` labels; gap float64 [draws, sizes]."""
    bound = float(np.quantile(gap[:, -1], level))
    log_labels = np.log2(np.asarray(labels, dtype=np.float64))
    gains = (
        np.quantile(np.diff(gap, axis=1) / np.diff(log_labels), level, axis=0)
        if len(labels) > 1
        else np.array([np.inf])
    )
    doublings_left = float(np.log2(goal / labels[-1]))
    pace = max(0.0, float(np.nanmax(gains))) if not np.isnan(gains).all() else np.inf
    return bound if doublings_left <= 0 else bound + pace * doublings_left


def _halved(group: list[int], scores: Callable[[Sequence[int], int], Sequence[float]], eta: int) -> tuple[float, int]:
    """Halve a group; return the score and index of the configuration left."""
    ranked: Mapping[int, float] = {}
    remaining = group
    for halving_round in rounds(len(group), eta):
        remaining = remaining[: halving_round.configurations]
        ranked = dict(zip(remaining, scores(remaining, halving_round.budget), strict=True))
        remaining = sorted(remaining, key=lambda configuration: -ranked[configuration])
    return ranked[remaining[0]], remaining[0]
