"""Coverage of intervals: how often they contain the truth, on simulated systems whose truth is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from wordworth.measures.bootstrap import Interval, interval, item_weights, run_picks
from wordworth.measures.weighted_sums import Floats, Integers, floats

Method: TypeAlias = Callable[[Floats, Floats, Integers], Interval]
"""A function from the scores of runs, their scores in each draw, and the picked runs of each draw, to an interval, as
`bootstrap.crossed_interval` is."""


def resampled(point: Floats, by_draw: Floats, picks: Integers) -> Floats:  # noqa: ARG001 - the same arguments as crossed
    """Return the draws of the plain hierarchical bootstrap over runs and items; its intervals are slightly too long."""
    return floats(by_draw[picks, np.arange(len(picks))[:, None]].mean(axis=1))


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """Two systems, several runs, one test set. Log-odds of a right answer: level + item + run (+ advantage).

    Attributes:
        runs, items: number of each.
        level: log-odds of the mean item in the mean run (2.2: 85 % right with the spread below).
        item_spread, run_spread: standard deviations in log-odds (0.18 moves a run by 1.9 points).
        advantage: what the second system has over the first, in log-odds.
        draws: bootstrap draws behind each interval.
    """

    runs: int
    items: int = 500
    level: float = 2.2
    item_spread: float = 1.0
    run_spread: float = 0.18
    advantage: float = 0.0
    draws: int = 400


def coverage(design: Design, methods: Mapping[str, Method], repeats: int, rng: np.random.Generator) -> dict[str, float]:
    """Simulate the share of 95 % intervals of an accuracy difference that contain the true difference, by method.

    Args:
        design: the simulated systems.
        methods: ways to make an interval, by name.
        repeats: number of simulated experiments.
        rng: source of randomness.
    """
    covered = dict.fromkeys(methods, 0)
    true_difference = truth(design)
    for _ in range(repeats):
        differences = _differences(design, rng)
        weights = item_weights(design.items, design.draws, rng)
        picks = run_picks(design.runs, design.draws, rng)
        point, by_draw = differences.mean(axis=1), differences @ weights.T / design.items
        for name, method in methods.items():
            covered[name] += true_difference in method(point, by_draw, picks)
    return {name: count / repeats for name, count in covered.items()}


def percentiles(of: Callable[[Floats, Floats, Integers], Floats]) -> Method:
    """Return a method whose interval is the percentiles of draws, such as those of `bootstrap.crossed`."""
    return lambda point, by_draw, picks: interval(of(point, by_draw, picks))


def truth(design: Design) -> float:
    """Return the true difference in accuracy over all possible items and runs, by Gauss-Hermite quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    log_odds = design.level + np.hypot(design.item_spread, design.run_spread) * nodes
    gain = _right(log_odds + design.advantage) - _right(log_odds)
    return float(weights @ gain / weights.sum())


def _differences(design: Design, rng: np.random.Generator) -> Floats:
    """float64 [runs, items]: 1 where only the second system is right, -1 where only the first is, else 0."""
    item = rng.normal(design.level, design.item_spread, design.items)
    run = rng.normal(0, design.run_spread, (2, design.runs, 1)) + np.array([0, design.advantage])[:, None, None]
    right = rng.random((2, design.runs, design.items)) < _right(item + run)
    return floats(right[1].astype(np.float64) - right[0])


def _right(log_odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-log_odds))
