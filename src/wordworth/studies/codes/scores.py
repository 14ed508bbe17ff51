"""Jaccard, F1 and average precision of each system, with intervals over runs and test patients that are paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks, share_draws
from wordworth.measures.set_overlap import jaccard, mean_average_precision, set_average_precision, set_f1
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.codes.answers import Answers, best_threshold

JACCARD, F1, PRECISION = "jaccard", "f1", "average_precision"
MEASURES = (PRECISION, JACCARD, F1)
ALL, COMMON, RARE = "all", "common", "rare"
_RARE_SHARE = 0.2
"""The rarest codes that make up at most so much of all training targets are rare."""


def rare_codes(trained: Flags) -> Flags:
    """Return which codes are rare, bool [codes]: the rarest that together make up at most a fifth of what is there.

    Args:
        trained: bool [visits, codes], the targets of training visits.
    """
    counts = trained.sum(0)
    order = np.argsort(counts, kind="stable")
    rare = np.zeros(len(counts), dtype=np.bool_)
    rare[order[np.cumsum(counts[order]) <= _RARE_SHARE * counts.sum()]] = True
    return rare


@dataclass(frozen=True, slots=True)
class Value:
    """A mean over test visits, or a difference of two, with its 95 % interval over runs and patients."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The scores of a system under one measure and for one set of codes.

    Attributes:
        point: float64 [runs].
        by_draw: float64 [runs, draws], on resampled patients, the same for every system.
    """

    point: Floats
    by_draw: Floats


Key = tuple[str, str, str]
"""Which codes, the measure, the system."""


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores.

    Attributes:
        by_key: of each set of codes, measure and system; a set of codes that no test visit has is not there.
        thresholds: of each system, one a run.
        validation: mean average precision of each system on validation visits, over runs.
        visits: number of test visits that have some of each set of codes.
        rng_seed: of the resampled runs.
    """

    by_key: Mapping[Key, SystemScores]
    thresholds: Mapping[str, tuple[float, ...]]
    validation: Mapping[str, float]
    visits: Mapping[str, int]
    rng_seed: int

    def value(self, codes: str, measure: str, system: str) -> Value:
        """Return the mean score of a system with its interval."""
        scores = self.by_key[codes, measure, system]
        return self._value(scores.point, scores.by_draw)

    def difference(self, codes: str, measure: str, first: str, second: str) -> Value:
        """Return the first system's score less the second's, paired by patients, and by runs if both have several.

        Args:
            codes: which codes.
            measure: the measure.
            first: a system.
            second: another.
        """
        minuend, subtrahend = (self.by_key[codes, measure, system] for system in (first, second))
        return self._value(minuend.point - subtrahend.point, minuend.by_draw - subtrahend.by_draw)

    def _value(self, point: Floats, by_draw: Floats) -> Value:
        runs, draws = by_draw.shape
        picks = run_picks(runs, draws, seeds.child(self.rng_seed, "codes", "runs", runs))
        return Value(float(point.mean()), crossed_interval(point, by_draw, picks))


def score_all(
    answers: Sequence[Answers],
    truth: tuple[Flags, Flags],
    rare: Flags,
    patient: NDArray[np.int64],
    draws: int,
    seed: int,
) -> Scores:
    """Score every system on the test visits.

    Args:
        answers: of each system.
        truth: bool [visits, codes] of validation and of test visits.
        rare: bool [codes].
        patient: int64 [test visits], the patient of each: patients are resampled whole.
        draws: number of resampled sets.
        seed: of the study.
    """
    valid, test = truth
    thresholds = {each.system: tuple(best_threshold(valid, run) for run in each.valid) for each in answers}
    validation = {
        each.system: float(np.mean([mean_average_precision(valid, run) for run in each.valid])) for each in answers
    }
    by_key: dict[Key, SystemScores] = {}
    visits: dict[str, int] = {}
    for codes, chosen in ((ALL, np.ones_like(rare)), (COMMON, ~rare), (RARE, rare)):
        rows = test[:, chosen].any(1)
        visits[codes] = int(rows.sum())
        if not rows.any():
            continue
        for measure in MEASURES:
            values = [
                _values(measure, test[rows][:, chosen], run[rows][:, chosen], threshold)
                for each in answers
                for run, threshold in zip(each.test, thresholds[each.system], strict=True)
            ]
            table = np.stack(values, axis=1)
            drawn = share_draws(
                table, np.ones(len(table)), patient[rows], draws, seeds.child(seed, "codes", "patients", codes)
            )
            ends = np.cumsum([len(each.test) for each in answers])[:-1]
            columns = zip(np.split(table.mean(0), ends), np.split(drawn.T, ends), strict=True)
            for each, (point, by_draw) in zip(answers, columns, strict=True):
                by_key[codes, measure, each.system] = SystemScores(point, by_draw)
    return Scores(by_key, thresholds, validation, visits, seed)


def _values(measure: str, truth: Flags, scores: Floats, threshold: float) -> Floats:
    """Return the measure of each visit, float64 [visits]."""
    if measure == PRECISION:
        return set_average_precision(truth, scores)
    return (jaccard if measure == JACCARD else set_f1)(truth, scores > threshold)
