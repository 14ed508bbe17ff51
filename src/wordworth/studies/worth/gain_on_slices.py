"""The record's table of slices: the lead of context on the easy and the hard half of the test part.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The three measures of difficulty (complexity, ambiguity, unseen words) and the halves are those of Arora et al. (2020).
The table also has a rank measure, which needs no halves: of a text that only the contextual rung gets right and a text
that only the cheap rung gets right, how often the first text is the harder. The rank measure is computed a second time
with the effect of text length and word frequency removed, as harder texts tend to be longer and to have rarer words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.difficulty_concordance import concordance, rank_residuals
from wordworth.measures.gain_by_difficulty import Contrast, DifficultySplit, Resampling, contrast, split, strata
from wordworth.measures.weighted_sums import Floats
from wordworth.records import Table
from wordworth.studies.worth.rung_result import predictions_at
from wordworth.studies.worth.score_predictions import draws_stretch, test_weights
from wordworth.studies.worth.scores import resampled_runs

if TYPE_CHECKING:
    from wordworth.representations.rung import Predictions
    from wordworth.studies.worth.difficulty_units import Units
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.study_result import StudyResult

LEAST = 10
"""Fewest units of a half for its gap to be reported."""
SLICES = {
    "measure": "complexity, ambiguity or unseen",
    "meaning": "how it was measured here",
    "rung": "the cheap rung",
    "against": "the contextual rung",
    "easy_n": "test units not above the median",
    "hard_n": "test units above the median",
    "undefined_n": "test units for which the measure has no value",
    "easy_gap": "error of the cheap rung minus that of the contextual one, easy half",
    "hard_gap": "the same, hard half",
    "difference": "hard gap minus easy gap",
    "low": "lower end of the difference's 95 % interval",
    "high": "upper end of the difference's 95 % interval",
    "relative_easy": "share of the cheap rung's errors that the contextual one avoids, easy half",
    "relative_hard": "the same, hard half",
    "logit_easy": "log-odds of the contextual rung's accuracy minus the cheap one's, easy half",
    "logit_hard": "the same, hard half",
    "null_difference": "mean difference when the measure is shuffled among equally difficult units",
    "p": "share of shuffles with a difference at least as large",
    "rank": "of a unit that only the contextual rung gets right and one that only the cheap rung does, how often the "
    "former is the harder; 0.5 is chance",
    "rank_low": "lower end of its 95 % interval",
    "rank_high": "upper end of its 95 % interval",
    "rank_beyond": "the same of what the measure says beyond the length of the text and the frequency of its words",
    "rank_beyond_low": "lower end of its 95 % interval",
    "rank_beyond_high": "upper end of its 95 % interval",
    "larger_on_hard": "whether the gap is larger on the hard half",
    "survives_null": "whether it is also larger in log-odds and beyond the null (p at most 0.05)",
}


def slices_table(study: StudyResult) -> Table:
    """Return the table of slices: the lead of a contextual rung on easy and on hard test texts.

    The table has a row for each measure of difficulty and each cheap rung; the contextual rung is
    `StudyResult.reference`. The table is empty if no contextual rung predicted the whole test part.
    """
    reference = study.reference
    if reference is None:
        return Table.of([], SLICES)
    measured = [result for result in study.measured if _predictions(result, study)]
    if reference not in measured:
        return Table.of([], SLICES)
    rivals = [result for result in measured if result.rung.name in study.measured_names(contextual=False)]
    rows = []
    for name, units in study.units.items():
        mean_loss = np.mean([_losses(result, units, study).mean(axis=0) for result in measured], axis=0)
        rows += [_row(name, units, (rival, reference), study, strata(mean_loss)) for rival in rivals]
    return Table.of(rows, SLICES)


def _losses(result: RungResult, units: Units, study: StudyResult) -> Floats:
    """Return the error of each unit in the rung's runs that learned from all labelled examples, float64 [runs, units].

    Runs that predict one fold each count as one run. A failed run is replaced by the run of the constant rung.
    """
    return np.stack([units.loss(predictions) for predictions in _predictions(result, study)])


def _predictions(result: RungResult, study: StudyResult) -> list[Predictions]:
    """Return the predictions of each run for the whole test part; [] if the rung predicted only some of the folds."""
    return predictions_at(result, study.labels, study.rung_results, len(study.task.test))


def _row(
    name: str, units: Units, pair: tuple[RungResult, RungResult], study: StudyResult, groups: NDArray[np.int64]
) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(SLICES) | {"measure": name, "meaning": units.meaning}
    row |= {"rung": pair[0].rung.name, "against": pair[1].rung.name, "easy_n": 0, "hard_n": 0}
    row["undefined_n"] = int(np.isnan(units.values).sum())
    halves = split(units.values)
    if halves is None:
        return row
    row |= {"easy_n": int(halves.easy.sum()), "hard_n": int(halves.hard.sum())}
    if min(row["easy_n"], row["hard_n"]) < LEAST:
        return row
    contrasts = _contrast(units, halves, pair, study, groups)
    row |= _ranks(units, pair, study)
    row |= {"difference": contrasts.difference, **contrasts.span.columns()}
    row |= {"null_difference": contrasts.null_difference, "p": contrasts.p}
    for half, gaps in (("easy", contrasts.easy), ("hard", contrasts.hard)):
        row |= {f"{half}_gap": gaps.accuracy, f"relative_{half}": gaps.relative, f"logit_{half}": gaps.logit}
    return row | {"larger_on_hard": contrasts.larger_on_hard, "survives_null": contrasts.survives_null}


def _contrast(
    units: Units,
    halves: DifficultySplit,
    pair: tuple[RungResult, RungResult],
    study: StudyResult,
    groups: NDArray[np.int64],
) -> Contrast:
    cheap, contextual = _paired(units, pair, study)
    resampling = replace(_resampling(units, len(cheap), study), strata=groups)
    rng = study.scores.bootstrap.for_rung("slices", pair[0].rung.name)
    return contrast(cheap, contextual, halves, resampling, rng)


def _ranks(units: Units, pair: tuple[RungResult, RungResult], study: StudyResult) -> dict[str, float]:
    """Return the columns `rank` and `rank_beyond` with their intervals: the concordance of the measure of difficulty.

    For `rank_beyond`, text length and word frequency are regressed out of the measure. A column is left out if the
    concordance is undefined.
    """
    cheap, contextual = _paired(units, pair, study)
    resampling = _resampling(units, len(cheap), study)
    ranks: dict[str, float] = {}
    for name, values in (("rank", units.values), ("rank_beyond", rank_residuals(units.values, units.covariates))):
        result = concordance(values, cheap, contextual, resampling)
        if result is not None:
            ranks |= {name: result.value, **result.span.columns(f"{name}_")}
    return ranks


def _paired(units: Units, pair: tuple[RungResult, RungResult], study: StudyResult) -> tuple[Floats, Floats]:
    """Return the errors of (cheap rung, contextual rung) in as many runs as both have, float64 [runs, units] each."""
    cheap, contextual = (_losses(result, units, study) for result in pair)
    shared = min(len(cheap), len(contextual))
    return cheap[:shared], contextual[:shared]


def _resampling(units: Units, runs: int, study: StudyResult) -> Resampling:
    bootstrap, one_stratum = study.scores.bootstrap, np.zeros(len(units.values), np.int64)
    weights = test_weights(study.task, bootstrap)
    stretch = draws_stretch(study.task)
    return Resampling(weights, resampled_runs(runs, bootstrap), one_stratum, groups=units.test_item, stretch=stretch)
