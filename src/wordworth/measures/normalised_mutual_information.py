"""Normalised mutual information of two labellings of the same items, and what chance alone gives.

Mutual information is divided by the mean of the two entropies, so that it is 0 for independent labellings and 1 where
each determines the other (Vinh, Epps and Bailey 2010, JMLR 11, table 2: NMI by the sum). On finitely many items the
measured value is above 0 even for independent labellings, and grows with the number of classes. What chance alone gives
is therefore computed from permutations of one labelling. The permutations are drawn as contingency tables with the same
sums (Patefield 1981), in a time that does not grow with the number of items.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Integers, floats

PERMUTATIONS = 199


@dataclass(frozen=True, slots=True)
class SharedInformation:
    """Normalised mutual information of two labellings, and the values that it has by chance.

    Attributes:
        value: the normalised mutual information, from 0 to 1.
        chance_mean: the mean of the normalised mutual information over permutations of one labelling.
        highest: the highest normalised mutual information among the permutations.
        p: p-value, the share of permutations with at least `value`; the given labellings count as one permutation.
    """

    value: float
    chance_mean: float
    highest: float
    p: float


def contingency(first: Integers, second: Integers) -> Integers:
    """Return the number of items with each pair of classes in two labellings, int64 [first classes, second classes].

    Args:
        first: int64 [n], the class of each item in the first labelling, numbered from 0.
        second: int64 [n], the class of each item in the second labelling, numbered from 0.
    """
    rows, columns = int(first.max()) + 1, int(second.max()) + 1
    counts = np.bincount(first.astype(np.int64) * columns + second, minlength=rows * columns)
    return counts.reshape(rows, columns).astype(np.int64)


def normalised_mutual_information(table: Integers) -> float:
    """Return the normalised mutual information of a contingency table; 0 where a labelling has one class.

    Args:
        table: number of items with each pair of classes, int64 [rows, columns].
    """
    from scipy.stats import entropy

    shares = floats(table) / table.sum()
    rows, columns, both = (float(entropy(each)) for each in (shares.sum(axis=1), shares.sum(axis=0), shares.ravel()))
    return max(0.0, 2 * (rows + columns - both) / (rows + columns)) if rows and columns else 0.0


def shared_information(table: Integers, rng: np.random.Generator) -> SharedInformation:
    """Return the normalised mutual information of a contingency table with its null of `PERMUTATIONS` permutations.

    Args:
        table: number of items with each pair of classes, int64 [rows, columns]; no sum of a row or column is 0.
        rng: draws the permutations.
    """
    from scipy.stats import random_table

    value = normalised_mutual_information(table)
    drawn = random_table(table.sum(axis=1), table.sum(axis=0)).rvs(size=PERMUTATIONS, random_state=rng)
    null = np.array([normalised_mutual_information(each) for each in drawn])
    p = (1 + int((null >= value - 1e-12).sum())) / (1 + PERMUTATIONS)
    return SharedInformation(value, float(null.mean()), float(null.max()), p)
