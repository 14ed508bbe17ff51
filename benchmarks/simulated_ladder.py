"""A ladder of rungs whose true accuracies are known: the world in which the decision rule of `worth` is tested.

Rung r, run s and test item i: the answer is right where a_r + v_rs + b z_i + c u_ri + d w_rsi > 0, with independent
standard normal z (how easy the item is), u (how easy it is for this rung) and w (chance), b² + c² + d² = 1, and run
effects v with the standard deviation s_r. So the accuracy of a rung over all items and runs is
Phi(a_r / sqrt(1 + s_r²)), and a_r follows from the accuracy that a rung is to have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from wordworth import seeds
from wordworth.measures.added_test_items import AddedItems
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.intervals_from_few_runs import PRIOR_DEGREES, RunVariance
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.scores import Bootstrap, Scores

_ROUNDING = 1e-12
LABELS = 1_000
"""The one size of a simulated study; the rule is applied at it."""
ADDED = AddedItems(np.array([1]), np.eye(2)[[1]], np.eye(2)[[0]])
"""The item that a comparison by accuracy adds, whatever its class."""


@dataclass(frozen=True, slots=True)
class SimulatedRung:
    """A rung of a known accuracy.

    Attributes:
        name, family: as on the ladder; the family says whether it has context.
        accuracy: its true accuracy, over all items and runs.
        runs: number of runs.
        run_sd: standard deviation of the accuracy between runs.
        assumed_sd: the deviation that the study assumes where there is one run.
    """

    name: str
    family: str
    accuracy: float
    runs: int = 5
    run_sd: float = 0.005
    assumed_sd: float = 0.0

    @property
    def contextual(self) -> bool:
        """True if it reads a word in its context."""
        return self.family in {"frozen", "hybrid", "finetuned"}

    @property
    def assumed_run_sd(self) -> float:
        """The deviation between runs that other data sets have shown, as a rung on the ladder has it."""
        return self.assumed_sd

    @property
    def is_baseline(self) -> bool:
        """True if it predicts without reading the text."""
        return self.family == "constant"

    @property
    def latent(self) -> tuple[float, float]:
        """The rung's level a_r and the deviation s_r of its runs, on the latent scale."""
        threshold = float(ndtri(self.accuracy))
        slope = float(np.exp(-(threshold**2) / 2) / np.sqrt(2 * np.pi))
        spread = self.run_sd / slope
        return threshold * float(np.hypot(1, spread)), spread


@dataclass(frozen=True, slots=True)
class SimulatedStudy:
    """Studies on one ladder.

    Attributes:
        rungs: the ladder, cheapest first.
        items: number of test items.
        item_share, rung_share: b² and c². With 1 and 0 errors are nested: the better rung is right wherever the worse
            one is, but for its runs.
        margin: the margin of the verdict.
        draws: bootstrap resamples of a study.
    """

    rungs: tuple[SimulatedRung, ...]
    items: int
    item_share: float = 0.6
    rung_share: float = 0.3
    margin: float = 0.01
    draws: int = 1_000

    @property
    def truth(self) -> Mapping[str, float]:
        """The true accuracy of each rung."""
        return {rung.name: rung.accuracy for rung in self.rungs}

    def right(self, rng: np.random.Generator) -> dict[str, NDArray[np.bool_]]:
        """Draw the answers of a study; return name of a rung -> which of its answers are right, bool [runs, items]."""
        return self.answers(self.ease(rng), rng)

    def ease(self, rng: np.random.Generator) -> dict[str, Floats]:
        """Return name of a rung -> how easy each item is for it, float64 [items]."""
        shared = np.sqrt(self.item_share) * rng.standard_normal(self.items)
        own = {rung.name: rng.standard_normal(self.items) for rung in self.rungs}
        return {name: shared + np.sqrt(self.rung_share) * each for name, each in own.items()}

    def answers(self, ease: Mapping[str, Floats], rng: np.random.Generator) -> dict[str, NDArray[np.bool_]]:
        """Draw new runs; return name of a rung -> which of their answers are right, bool [runs, items].

        Args:
            ease: how easy each item is, for as many items as this study has, or more.
            rng: source of the effect of each run, and of its chance with each item.
        """
        chance, right = max(0.0, 1 - self.item_share - self.rung_share), {}
        for rung in self.rungs:
            level, spread = rung.latent
            runs = spread * rng.standard_normal((rung.runs, 1))
            luck = np.sqrt(chance) * rng.standard_normal((rung.runs, self.items))
            right[rung.name] = level + runs + ease[rung.name][: self.items] + luck > 0
        return right

    def scores(
        self, right: Mapping[str, NDArray[np.bool_]], seed: int, keep: NDArray[np.bool_] | None = None
    ) -> Scores:
        """Return the project's own `Scores` of these answers, with its bootstrap.

        Args:
            right: by rung, bool [runs, items].
            seed: the seed of the study.
            keep: bool [items], the items that count; all where not given.
        """
        items = next(iter(right.values())).shape[1]
        kept = np.ones(items) if keep is None else keep.astype(np.float64)
        weights = item_weights(items, self.draws, seeds.child(seed, "bootstrap items")) * kept
        added = ADDED.weights(self.draws, 1, seeds.child(seed, "added items"))
        totals = weights.sum(axis=1)
        table = {}
        for name, answers in right.items():
            hits = answers @ weights.T
            compared = np.stack([(hits + side) / (totals + added.sum(axis=1)) for side in added.T])
            table[name, LABELS] = RunScores(answers @ kept / kept.sum(), hits / totals, compared)
        priors = {rung.name: RunVariance(rung.assumed_sd**2, PRIOR_DEGREES) for rung in self.rungs if rung.assumed_sd}
        return Scores(table, Bootstrap(self.draws, seed), priors, score_range=(0.0, 1.0))

    def verdict(self, scores: Scores, look: int = 1) -> Verdict:
        """Return the verdict of the project's decision rule at this interim look, counted from 1."""
        return judge(scores, self.rungs, LABELS, self.margin, look=look)


def accuracy_of(rung: SimulatedRung) -> float:
    """Return the accuracy that a rung's latent level and deviation imply, as a check of the model."""
    level, spread = rung.latent
    return float(ndtr(level / np.hypot(1, spread)))


def errs(verdict: Verdict, truth: Mapping[str, float], margin: float) -> bool:
    """Return whether a verdict is definite and false, by the true accuracy of each rung and the verdict's margin."""
    best_cheap = max(truth[comparison.name] for comparison in verdict.cheap)
    advantage = max(truth[comparison.name] for comparison in verdict.contextual) - best_cheap
    if verdict.answer == "cheap suffices":
        return advantage > margin + _ROUNDING
    return verdict.context_leads and advantage <= _ROUNDING + margin * (verdict.answer == "contextual is worth it")
