"""Pairs that a table and people put at different places: what a correlation is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.word_benchmarks.files import Pairs

EACH = 3
"""So many pairs that are taken for too like, and for too unlike."""


class Misjudged(NamedTuple):
    """A pair, and the share of all pairs that are less alike, for people and for the table."""

    first: str
    second: str
    people: float
    table: float


def misjudged(content: Pairs, likely: Floats, items: Flags) -> list[Misjudged]:
    """Of the pairs that count, those on which the table goes furthest from people: too like first, then too unlike."""
    kept = np.flatnonzero(items)
    people, table = (_shares(side[kept]) for side in (np.array(content.ratings), likely))
    order = np.argsort(people - table, kind="stable")
    chosen = [place for place in order[:EACH] if table[place] > people[place]]
    chosen += [place for place in order[::-1][:EACH] if table[place] < people[place]]
    return [
        Misjudged(content.first[kept[k]], content.second[kept[k]], float(people[k]), float(table[k])) for k in chosen
    ]


def _shares(values: Floats) -> Floats:
    """Mean ranks, ties shared, between 0 and 1."""
    shares: Floats = (rankdata(values) - 0.5) / len(values)
    return shares
