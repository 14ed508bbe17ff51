"""The tables of the study `sentences`: correlations by system, set and subset, and paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval, item_weights
from wordworth.measures.correlation import pearson, spearman
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import Progress
from wordworth.records import Table
from wordworth.studies.sentences.pair_sets import PairSet
from wordworth.studies.sentences.systems import INPUT, OWN, RANDOM, System

ALL_SETS, WHOLE = "mean over sets", "all"
SCORES = {
    "system": "own: the model with its own pooling; a pooling of it; a control; another model",
    "role": "model, pooling, cut, control or beside",
    "set": "name of the set, or the mean over sets",
    "subset": "part of the set; all: every pair of it at once",
    "pairs": "number of pairs",
    "spearman": "Spearman's correlation of cosines with scores",
    "low": "lower end of its 95 % interval over pairs",
    "high": "upper end",
    "pearson": "Pearson's correlation",
    "pearson_low": "lower end of its 95 % interval over pairs",
    "pearson_high": "upper end",
}
COMPARISONS = {
    "first": "a system",
    "second": "another",
    "difference": "Spearman's correlation of the first less that of the second, mean over sets",
    "low": "lower end of its 95 % interval over pairs, which both systems share",
    "high": "upper end",
    "corrected_low": "lower end of its interval at a level corrected for the number of comparisons",
    "corrected_high": "upper end",
    "sure": "whether 0 is outside the corrected interval",
}


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlations of a system's cosines with the gold scores of some pairs.

    Attributes:
        pairs: number of pairs.
        spearman: Spearman's correlation.
        draws: float64 [draws], Spearman's correlation in each bootstrap resample of pairs.
        pearson: Pearson's correlation.
        pearson_draws: float64 [draws], Pearson's correlation in each resample.
    """

    pairs: int
    spearman: float
    draws: Floats
    pearson: float
    pearson_draws: Floats

    @classmethod
    def mean(cls, parts: Sequence[Correlation]) -> Correlation:
        """Return the mean of the correlations on several data sets, whose pairs are resampled independently."""
        return cls(
            sum(part.pairs for part in parts),
            float(np.mean([part.spearman for part in parts])),
            np.mean([part.draws for part in parts], axis=0),
            float(np.mean([part.pearson for part in parts])),
            np.mean([part.pearson_draws for part in parts], axis=0),
        )

    def columns(self) -> dict[str, Any]:
        """Return the correlations with their 95 % intervals as columns of the table of scores."""
        ends = {**interval(self.draws).columns(), **interval(self.pearson_draws).columns("pearson_")}
        return {"pairs": self.pairs, "spearman": self.spearman, "pearson": self.pearson, **ends}


def tables_of(
    systems: Sequence[System], sets: Sequence[PairSet], draws: int, seed: int, progress: Progress
) -> Mapping[str, Table]:
    """Return the tables `scores` and `comparisons`.

    Args:
        systems: the systems with their cosines.
        sets: the pairs with their gold scores.
        draws: number of bootstrap resamples of pairs; all systems share the resamples of a set.
        seed: seed of the resamples.
        progress: shows the progress of the correlations.
    """
    rows, whole = list[dict[str, Any]](), dict[str, Correlation]()
    rngs = {each.name: seeds.child(seed, "sentences", "draws", each.seed_name) for each in sets}
    weights = {each.name: item_weights(len(each), draws, rngs[each.name]) for each in sets}
    with progress.step("correlations", len(systems) * len(sets)) as step:
        for system in systems:
            by_set = []
            for each in sets:
                for subset, correlation in _correlations(system, each, weights[each.name]):
                    rows.append(_row(system, each.name, subset, correlation))
                    by_set += [correlation] * (subset == WHOLE)
                step.advance()
            whole[system.name] = Correlation.mean(by_set)
            rows.append(_row(system, ALL_SETS, WHOLE, whole[system.name]))
    comparisons = list(_comparisons(systems, whole))
    return {"scores": Table.of(rows, SCORES), "comparisons": Table.of(comparisons, COMPARISONS)}


def _correlations(system: System, pairs: PairSet, weights: Floats) -> Iterator[tuple[str, Correlation]]:
    """Yield the correlation on all pairs of a set, then on each of its subsets."""
    cosines, subset = system.cosines[pairs.name], np.array(pairs.subset)
    for name in (WHOLE, *pairs.subsets):
        in_subset = np.ones(len(pairs), dtype=bool) if name == WHOLE else subset == name
        gold, predicted, own = pairs.scores[in_subset], cosines[in_subset], weights[:, in_subset]
        own = own[own.any(1)]  # a draw of the whole set may have no pair of a small subset
        whole = np.ones((1, len(gold)))
        yield (
            name,
            Correlation(
                len(gold),
                float(spearman(gold, predicted, whole)[0]),
                spearman(gold, predicted, own),
                float(pearson(gold, predicted, whole)[0]),
                pearson(gold, predicted, own),
            ),
        )


def _row(system: System, name: str, subset: str, correlation: Correlation) -> dict[str, Any]:
    return {"system": system.name, "role": system.role, "set": name, "subset": subset, **correlation.columns()}


def _comparisons(systems: Sequence[System], whole: Mapping[str, Correlation]) -> Iterator[dict[str, Any]]:
    others = [system.name for system in systems if system.role == "beside"]
    poolings = [system.name for system in systems if system.role == "pooling"]
    mean = "mean" if "mean" in poolings else OWN  # the model itself, if the mean is its own pooling
    compared = [(mean, pooling) for pooling in poolings if pooling != mean]
    compared += [(OWN, other) for other in (RANDOM, INPUT, *others) if other in whole]
    compared += [(mean, other) for other in others] if mean != OWN else []
    for first, second in compared:
        draws = whole[first].draws - whole[second].draws
        corrected = interval(draws, 1 - 0.05 / len(compared))
        yield {
            "first": first,
            "second": second,
            "difference": whole[first].spearman - whole[second].spearman,
            **interval(draws).columns(),
            **corrected.columns("corrected_"),
            "sure": 0.0 not in corrected,
        }
