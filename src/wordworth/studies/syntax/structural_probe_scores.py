"""Scores of structural probes (UUAS, root accuracy, rank correlations) with intervals, and differences to controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wordworth.measures.bootstrap import Interval, interval, item_weights
from wordworth.measures.tree_recovery import length_mean
from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio
from wordworth.studies.syntax.structural_probes import (
    AGAIN,
    CHAIN,
    CONTROL,
    MODEL,
    RANDOM,
    SHUFFLED,
    UNSQUARED,
    Kind,
    ProbeResult,
)

INPUT, LAST = "input layer", "last layer"
COMPARED = (CHAIN, RANDOM, INPUT, LAST, SHUFFLED, CONTROL, UNSQUARED, AGAIN)
"""Names of the controls of the probe of the best layer."""
Measure = Literal["share", "correlation"]
MEASURES: tuple[Measure, ...] = ("share", "correlation")
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its bootstrap distribution.

    Attributes:
        value: the value on the sample.
        draws: float64 [draws], the value in each bootstrap resample.
    """

    value: float
    draws: Floats

    @property
    def ends(self) -> Interval:
        """The 95 % interval of the value, from its bootstrap distribution."""
        return interval(self.draws)

    def less(self, other: Estimate) -> Estimate:
        """Return this value minus a second value, in the sample and in each resample.

        Args:
            other: the value to subtract, from the same resamples.
        """
        return Estimate(self.value - other.value, self.draws - other.draws)

    def is_positive(self, comparisons: int) -> bool:
        """Return True if the interval is above 0, at a level corrected for a number of comparisons (Bonferroni)."""
        return interval(self.draws, 1 - (1 - _LEVEL) / comparisons).low > 0


@dataclass(frozen=True, slots=True)
class ScoredProbe:
    """A structural probe with its measures: `share` of correct edges (or roots), and rank `correlation`."""

    result: ProbeResult
    measures: dict[Measure, Estimate]


@dataclass(frozen=True, slots=True)
class ProbeGap:
    """The score of the best layer's probe minus the score of a control.

    Attributes:
        kind: what both probes predict: `distance` or `depth`.
        measure: name of the measure that is compared.
        other: name of the control, one of `COMPARED`.
        gap: the difference.
        is_ahead: whether the interval is above 0 at a level corrected for the number of all differences (Bonferroni).
    """

    kind: Kind
    measure: Measure
    other: str
    gap: Estimate
    is_ahead: bool


def scored(
    results: Sequence[ProbeResult], lengths: Integers, documents: Integers, draws: int, rng: np.random.Generator
) -> list[ScoredProbe]:
    """Return the measures of probes with intervals over documents, all on the same resamples.

    Args:
        results: the probes with their scores on each test sentence.
        lengths: int64 [sentences], number of words of each test sentence; rank correlations are averaged over
            the sentences of each length, then over lengths.
        documents: int64 [sentences], a number that identifies each test sentence's document.
        draws: number of bootstrap resamples.
        rng: random generator of the resamples.
    """
    weights = np.concatenate([np.ones((1, len(lengths))), item_weights(len(lengths), draws, rng, documents)])
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
    """Compare the best layer's structural probe with each control (`COMPARED`), for each kind of probe and measure.

    Args:
        probes: all probes with their measures.
        best: kind -> the probe of the model's best layer.
        random: kind -> the probe of the best layer of the model with random weights.
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
    """Return name of each control (`COMPARED`) -> the scored probe that the best layer's probe is compared with."""
    same = [each for each in probes if each.result.kind == best.kind]
    layers = {each.result.layer: each for each in same if each.result.source == MODEL and each.result.rank == best.rank}
    by_source = {each.result.source: each for each in same if each.result.source not in {MODEL, RANDOM}}
    ends = {INPUT: layers[0], LAST: layers[max(layer for layer in layers if layer is not None)]}
    return by_source | ends | {RANDOM: random}
