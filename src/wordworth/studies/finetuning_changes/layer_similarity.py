"""Similarity of the layers of two models: debiased linear CKA with jackknife intervals over groups of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from wordworth.measures.bootstrap import Interval, left_out_error
from wordworth.measures.cka import linear_cka
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import Step
from wordworth.studies.finetuning_changes.compare_representations import Compared
from wordworth.studies.study_result_cache import FinishedParts

GROUPS = 10
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Similarity:
    """The similarity (CKA) of the same layer in two models, for every layer and pair of models.

    Attributes:
        values: names of two models -> float64 [layers + 1], the CKA of each layer, the input layer first.
        without: names of two models -> float64 [groups, layers + 1], the values with each group of texts left out in
            turn.
    """

    values: Mapping[Pair, Floats]
    without: Mapping[Pair, Floats]

    def interval(self, statistic: Callable[[Mapping[Pair, Floats]], Floats]) -> list[Interval]:
        """Return the 95 % interval of each value of a statistic of CKA, by a jackknife over groups of texts.

        A bootstrap is not used: texts that are drawn more than once would raise the CKA.

        Args:
            statistic: function that computes the statistic, float64 [..., values], from a mapping: names of two models
                -> CKA of each layer, float64 [..., layers + 1].
        """
        value = statistic(self.values)
        reach = float(stdtrit(GROUPS - 1, 0.975)) * left_out_error(statistic(self.without))
        return [Interval(float(low), float(high)) for low, high in zip(value - reach, value + reach, strict=True)]


def similarity(compared: Compared, rng: np.random.Generator, finished: FinishedParts, step: Step) -> Similarity:
    """Compute the similarity (CKA) of the same layer in two models, for every layer and pair of models.

    Args:
        compared: the states of the models on the same texts.
        rng: random generator that divides the texts into groups.
        finished: cache with the similarities of the pairs of models that an earlier call compared.
        step: progress step, advanced after each pair of models.
    """
    texts = int(compared.drawn.max(initial=0)) + 1
    group = (rng.permutation(texts) % GROUPS)[compared.drawn]
    rows_without = [group != number for number in range(GROUPS)]

    def compare(pair: Pair) -> dict[str, ArrayLike]:
        layers = list(zip(compared.states[pair[0]], compared.states[pair[1]], strict=True))
        values = [linear_cka(*layer) for layer in layers]
        without = [[linear_cka(x[rows], y[rows]) for x, y in layers] for rows in rows_without]
        step.advance(1)
        return {"values": values, "without": without}

    parts = {pair: finished.arrays(("similarity", *pair), partial(compare, pair), step, 1) for pair in compared.pairs}
    values, without = ({pair: part[name] for pair, part in parts.items()} for name in ("values", "without"))
    return Similarity(values, without)
