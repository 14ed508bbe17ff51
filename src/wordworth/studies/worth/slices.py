"""Where context pays: the gap on the easy and the hard half of the test part, by the paper's three measures.

Halves are the paper's. The rank version beside them needs no median, and is given once more with what length and word
frequency explain taken out, as harder texts are longer and rarer ones too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.concordance import beyond, concordance
from wordworth.measures.easy_hard_gap import Contrast, Halves, Resampling, contrast, split, strata
from wordworth.measures.weighted_sums import Floats
from wordworth.records import Table
from wordworth.studies.worth.run_ladder import predicted
from wordworth.studies.worth.scores import resampled_runs, test_weights

if TYPE_CHECKING:
    from wordworth.studies.worth.difficulty_units import Units
    from wordworth.studies.worth.record import Evidence
    from wordworth.studies.worth.run_ladder import RungResult

LEAST = 10
"""Units in a half from which on its gap says something."""
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


def slices_table(evidence: Evidence, units_by_measure: Mapping[str, Units]) -> Table:
    """Every measure (as `measures` gives them), for every cheap rung against the reference contextual rung."""
    own = evidence.reference
    if own is None:
        return Table.of([], SLICES)
    rivals = [entry for entry in evidence.measured if entry.rung.name in evidence.named(contextual=False)]
    rows = []
    for name, units in units_by_measure.items():
        everyone = np.mean([_losses(entry, units, evidence).mean(axis=0) for entry in evidence.measured], axis=0)
        rows += [_row(name, units, (rival, own), evidence, strata(everyone)) for rival in rivals]
    return Table.of(rows, SLICES)


def _losses(entry: RungResult, units: Units, evidence: Evidence) -> Floats:
    """float64 [runs, units]: the errors of each run on all labels, by seed; a failed run makes the constant's."""
    return np.stack([units.loss(said) for said in predicted(entry, evidence.plan.top, evidence.case.rung_results)])


def _row(
    name: str, units: Units, pair: tuple[RungResult, RungResult], evidence: Evidence, groups: NDArray[np.int64]
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
    told = _contrast(units, halves, pair, evidence, groups)
    row |= _ranks(units, pair, evidence)
    row |= {"easy_gap": told.easy.accuracy, "hard_gap": told.hard.accuracy, "difference": told.difference}
    row |= {"low": told.span.low, "high": told.span.high, "null_difference": told.null_difference, "p": told.p}
    row |= {"relative_easy": told.easy.relative, "relative_hard": told.hard.relative}
    row |= {"logit_easy": told.easy.logit, "logit_hard": told.hard.logit}
    return row | {"larger_on_hard": told.larger_on_hard, "survives_null": told.survives_null}


def _contrast(
    units: Units, halves: Halves, pair: tuple[RungResult, RungResult], evidence: Evidence, groups: NDArray[np.int64]
) -> Contrast:
    rival, own = _paired(units, pair, evidence)
    using = replace(_resampling(units, len(rival), evidence), strata=groups)
    return contrast(rival, own, halves, using, seeds.child(evidence.case.doubt[1], "slices", pair[0].rung.name))


def _ranks(units: Units, pair: tuple[RungResult, RungResult], evidence: Evidence) -> dict[str, float]:
    """The rank version of a contrast, of the measure and of what it says beyond what such measures go along with."""
    rival, own = _paired(units, pair, evidence)
    using = _resampling(units, len(rival), evidence)
    found: dict[str, float] = {}
    for name, values in (("rank", units.values), ("rank_beyond", beyond(units.values, units.usual))):
        told = concordance(values, rival, own, using)
        if told is not None:
            found |= {name: told.value, f"{name}_low": told.span.low, f"{name}_high": told.span.high}
    return found


def _paired(units: Units, pair: tuple[RungResult, RungResult], evidence: Evidence) -> tuple[Floats, Floats]:
    """float64 [runs, units] of both: the errors in the runs that they share."""
    rival, own = (_losses(entry, units, evidence) for entry in pair)
    shared = min(len(rival), len(own))
    return rival[:shared], own[:shared]


def _resampling(units: Units, runs: int, evidence: Evidence) -> Resampling:
    draws, seed = evidence.case.doubt
    alike = np.zeros(len(units.values), np.int64)
    return Resampling(
        test_weights(evidence.case.task, draws, seed), resampled_runs(runs, draws, seed), alike, groups=units.item
    )
