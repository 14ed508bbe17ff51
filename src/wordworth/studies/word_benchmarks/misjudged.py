"""Word pairs on which a table and people disagree most, as examples behind a correlation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.word_benchmarks.files import Pairs

EACH = 3
"""The number of pairs listed as rated too similar by the table, and as many as too dissimilar."""


class Misjudged(NamedTuple):
    """A pair, and the share of all pairs that are less similar, by people's ratings and by the table's cosines."""

    first: str
    second: str
    people: float
    table: float


def misjudged(content: Pairs, likely: Floats, items: Flags) -> list[Misjudged]:
    """Pick the pairs of `items` on which the table differs most from people: too similar first, then too dissimilar."""
    counted = np.flatnonzero(items)
    people, table = (_shares(side[counted]) for side in (np.array(content.ratings), likely))
    order = np.argsort(people - table, kind="stable")
    chosen = [index for index in order[:EACH] if table[index] > people[index]]
    chosen += [index for index in order[::-1][:EACH] if table[index] < people[index]]
    return [
        Misjudged(content.first[counted[k]], content.second[counted[k]], float(people[k]), float(table[k]))
        for k in chosen
    ]


def _shares(values: Floats) -> Floats:
    """Rank the values between 0 and 1; ties share their mean rank."""
    ranks: Floats = (rankdata(values) - 0.5) / len(values)
    return ranks
