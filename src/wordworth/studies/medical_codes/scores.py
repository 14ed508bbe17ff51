"""Measure predicted code scores (`Answers`) by Jaccard index, F1 and average precision, with paired intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import difference_range, run_picks, share_draws
from wordworth.measures.set_overlap import jaccard, mean_average_precision, set_average_precision, set_f1
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.estimate import Estimate

JACCARD, F1, PRECISION = "jaccard", "f1", "average_precision"
MEASURES = (PRECISION, JACCARD, F1)
ALL, COMMON, RARE = "all", "common", "rare"
_SCORE_RANGE = 0.0, 1.0
"""The worst and the best possible value of every measure."""
_RARE_SHARE = 0.2
"""The rarest codes that make up at most so much of all training targets are rare."""
THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
"""Scores above which a code may be recommended; validation visits choose one."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The scores, 0 to 1, that a system predicts for every target code of validation and test visits.

    Attributes:
        system: name of the system.
        valid: float64 [runs, validation visits, codes], the scores of validation visits.
        test: float64 [runs, test visits, codes], the scores of test visits.
        chosen: for each run, in words, what validation visits decided: the round of training whose weights are used, or
            the setting of a baseline.
    """

    system: str
    valid: Floats
    test: Floats
    chosen: tuple[str, ...]


def best_threshold(truth: Flags, scores: Floats) -> float:
    """Return the threshold with the highest mean Jaccard index over visits; codes with a higher score are recommended.

    The thresholds in `THRESHOLDS` are tried; of several thresholds with the highest index, the lowest is returned.

    Args:
        truth: bool [visits, codes], the codes that each visit has.
        scores: float64 [visits, codes], the predicted scores.
    """
    means = [float(jaccard(truth, scores > threshold).mean()) for threshold in THRESHOLDS]
    return THRESHOLDS[int(np.argmax(means))]


def rare_codes(trained: Flags) -> Flags:
    """Return for each target code whether it is rare, bool [codes].

    Rare codes are the least frequent ones that together have at most a fifth of all occurrences of codes.

    Args:
        trained: bool [visits, codes], the target codes of training visits, which are counted.
    """
    counts = trained.sum(0)
    order = np.argsort(counts, kind="stable")
    rare = np.zeros(len(counts), dtype=np.bool_)
    rare[order[np.cumsum(counts[order]) <= _RARE_SHARE * counts.sum()]] = True
    return rare


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The scores of a system by one measure, on one set of medical codes.

    Attributes:
        point: float64 [runs], the mean score over test visits.
        by_draw: float64 [runs, draws], the mean scores on resampled patients; every system has the same resamples.
    """

    point: Floats
    by_draw: Floats


Key = tuple[str, str, str]
"""Which codes, the measure, the system."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of all systems on the test visits.

    Attributes:
        by_key: (set of codes, measure, system) -> scores. The sets are `ALL`, `COMMON` and `RARE`; a set is left out if
            no test visit has a code of it.
        thresholds: name of a system -> the threshold of each run, above which a code is recommended.
        validation: name of a system -> mean average precision on validation visits, mean over runs.
        visits: set of codes -> number of test visits that have at least one of its codes.
        rng_seed: seed of the resampling of runs.
    """

    by_key: Mapping[Key, SystemScores]
    thresholds: Mapping[str, tuple[float, ...]]
    validation: Mapping[str, float]
    visits: Mapping[str, int]
    rng_seed: int

    def value(self, codes: str, measure: str, system: str) -> Estimate:
        """Return the mean score of a system over runs and test visits, with its interval.

        Args:
            codes: the set of codes: `ALL`, `COMMON` or `RARE`.
            measure: one of `MEASURES`.
            system: name of the system.
        """
        scores = self.by_key[codes, measure, system]
        return self._value(scores.point, scores.by_draw, _SCORE_RANGE)

    def difference(self, codes: str, measure: str, first: str, second: str) -> Estimate:
        """Return the first system's score minus the second's, paired by patient, and by run if both have several runs.

        Args:
            codes: the set of codes: `ALL`, `COMMON` or `RARE`.
            measure: one of `MEASURES`.
            first: name of the first system.
            second: name of the second system.
        """
        minuend, subtrahend = (self.by_key[codes, measure, system] for system in (first, second))
        by_draw = minuend.by_draw - subtrahend.by_draw
        return self._value(minuend.point - subtrahend.point, by_draw, difference_range(_SCORE_RANGE))

    def _value(self, point: Floats, by_draw: Floats, value_range: tuple[float, float]) -> Estimate:
        runs, draws = by_draw.shape
        picks = run_picks(runs, draws, seeds.child(self.rng_seed, "codes", "runs", runs))
        return Estimate.of(point, by_draw, picks, value_range=value_range)


def score_all(
    answers: Sequence[Answers],
    truth: tuple[Flags, Flags],
    rare: Flags,
    patient: NDArray[np.int64],
    draws: int,
    seed: int,
) -> Scores:
    """Score every system on the test visits, with the threshold that is best on the validation visits.

    Args:
        answers: the predicted scores of each system.
        truth: the target codes of validation and of test visits, each bool [visits, codes].
        rare: bool [codes], which codes are rare.
        patient: int64 [test visits], the index of each visit's patient; all visits of a patient are resampled together.
        draws: number of bootstrap resamples.
        seed: seed of the study.
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
    """Return the value of a measure for each visit, float64 [visits].

    Args:
        measure: one of `MEASURES`.
        truth: bool [visits, codes], the codes that each visit has.
        scores: float64 [visits, codes], the predicted scores.
        threshold: codes with a higher score are recommended; not used by average precision.
    """
    if measure == PRECISION:
        return set_average_precision(truth, scores)
    return (jaccard if measure == JACCARD else set_f1)(truth, scores > threshold)
