"""Shares of edges and roots and rank correlations of probes, with intervals, and the differences that matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wordworth.measures.bootstrap import Interval, interval, item_weights
from wordworth.measures.tree_recovery import length_mean
from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio
from wordworth.studies.syntax.probes import AGAIN, CHAIN, CONTROL, MODEL, RANDOM, SHUFFLED, UNSQUARED, Kind, ProbeResult

INPUT, LAST = "input layer", "last layer"
COMPARED = (CHAIN, RANDOM, INPUT, LAST, SHUFFLED, CONTROL, UNSQUARED, AGAIN)
"""What the probe of the best layer is compared with."""
Measure = Literal["share", "correlation"]
MEASURES: tuple[Measure, ...] = ("share", "correlation")
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval and the bootstrap draws that it is made of."""

    value: float
    draws: Floats

    @property
    def ends(self) -> Interval:
        """The 95 % interval."""
        return interval(self.draws)

    def less(self, other: Estimate) -> Estimate:
        """Return the difference to another value, on the same draws."""
        return Estimate(self.value - other.value, self.draws - other.draws)

    def is_positive(self, comparisons: int) -> bool:
        """Return whether the interval is above 0 at a level corrected for a number of comparisons (Bonferroni)."""
        return interval(self.draws, 1 - (1 - _LEVEL) / comparisons).low > 0


@dataclass(frozen=True, slots=True)
class ScoredProbe:
    """A probe with its measures: the share of edges (or roots) that it finds, and the rank correlation."""

    result: ProbeResult
    measures: dict[Measure, Estimate]


@dataclass(frozen=True, slots=True)
class ProbeGap:
    """How much more the probe of the best layer finds than another.

    Attributes:
        kind: kind of both probes.
        measure: what is compared.
        other: name of the other, one of `COMPARED`.
        gap: the difference.
        is_ahead: whether the interval at a level corrected for all differences is above 0.
    """

    kind: Kind
    measure: Measure
    other: str
    gap: Estimate
    is_ahead: bool


def scored(
    results: Sequence[ProbeResult], lengths: Integers, documents: Integers, plan: tuple[int, np.random.Generator]
) -> list[ScoredProbe]:
    """Return the measures of probes with intervals over documents; all are taken on the same draws.

    Args:
        results: the probes.
        lengths: int64 [sentences], words of the sentences that measure.
        documents: int64 [sentences], their documents.
        plan: number of bootstrap resamples, and the source of randomness.
    """
    weights = np.concatenate([np.ones((1, len(lengths))), item_weights(len(lengths), *plan, documents)])
    right, total = (floats([getattr(result.scores, name) for result in results]).T for name in ("right", "total"))
    shares = ratio(weights @ right, weights @ total, otherwise=np.nan)
    correlations = length_mean(floats([result.scores.correlation for result in results]).T, lengths, weights)
    return [
        ScoredProbe(result, {"share": _estimate(shares[:, column]), "correlation": _estimate(correlations[:, column])})
        for column, result in enumerate(results)
    ]


def _estimate(values: Floats) -> Estimate:
    return Estimate(float(values[0]), values[1:])


def gaps(
    probes: Sequence[ScoredProbe], best: Mapping[Kind, ProbeResult], random: Mapping[Kind, ProbeResult]
) -> list[ProbeGap]:
    """Return how much more the probe of the best layer finds than its controls, for both kinds and both measures.

    Args:
        probes: all probes with their measures.
        best: the probe of the best layer by kind.
        random: that of the best layer of the model with random weights.
    """
    by_result = {each.result: each for each in probes}
    comparisons, compared = len(best) * len(MEASURES) * len(COMPARED), []
    for kind, result in best.items():
        own, others = by_result[result], _others(probes, result, by_result[random[kind]])
        for measure in MEASURES:
            for name in COMPARED:
                gap = own.measures[measure].less(others[name].measures[measure])
                compared.append(ProbeGap(kind, measure, name, gap, gap.is_positive(comparisons)))
    return compared


def _others(probes: Sequence[ScoredProbe], best: ProbeResult, random: ScoredProbe) -> dict[str, ScoredProbe]:
    """Return what a best probe is compared with, by name."""
    same = [each for each in probes if each.result.kind == best.kind]
    layers = {each.result.layer: each for each in same if each.result.source == MODEL and each.result.rank == best.rank}
    by_source = {each.result.source: each for each in same if each.result.source not in {MODEL, RANDOM}}
    ends = {INPUT: layers[0], LAST: layers[max(layer for layer in layers if layer is not None)]}
    return by_source | ends | {RANDOM: random}
