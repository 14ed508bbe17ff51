"""Count how often each value of a column of the texts occurs in each cluster, with their mutual information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.normalised_mutual_information import SharedInformation, contingency, shared_information
from wordworth.measures.weighted_sums import Integers
from wordworth.sentence_formatting import quoted

MOST_VALUES = 200
"""Most different values of a column that is compared with clusters."""


@dataclass(frozen=True, slots=True)
class ColumnSpread:
    """The values of a column of the texts, and how often each occurs in each cluster.

    Attributes:
        column: name of the column.
        values: the different values of the column, the most frequent first.
        of_text: the value of each text, an index into `values`, int64 [n].
        table: number of texts with each value in each cluster, int64 [values, clusters].
        information: normalised mutual information of values and clusters.
    """

    column: str
    values: tuple[str, ...]
    of_text: Integers
    table: Integers
    information: SharedInformation


def require_few_values(column: str, cells: Sequence[str], where: str) -> None:
    """Check that a column has few enough different values to be compared with clusters.

    Args:
        column: name of the column, for the error message.
        cells: the values of the column.
        where: name of the table, for the error message.

    Raises:
        BadInput: the column has more than `MOST_VALUES` values.
    """
    if (different := len(set(cells))) > MOST_VALUES:
        what = f"column {quoted(column)} has {different:,} different values"
        mend = f"give --colour a column of at most {MOST_VALUES} values, such as a label or a language"
        raise BadInput(what, where=where, mend=mend)


def column_spread(column: str, cells: Sequence[str], clusters: Integers, seed: int) -> ColumnSpread:
    """Count how often each value of a column occurs in each cluster.

    Args:
        column: name of the column.
        cells: the value of each text.
        clusters: cluster of each text, from 0, int64 [n].
        seed: the run's seed.
    """
    names, first, counts = np.unique(np.array(cells, dtype=object), return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.arange(len(order))
    of_text = numbers[first]
    table = contingency(of_text, clusters)
    information = shared_information(table, seeds.child(seed, "permutations"))
    return ColumnSpread(column, tuple(str(name) for name in names[order]), of_text, table, information)
