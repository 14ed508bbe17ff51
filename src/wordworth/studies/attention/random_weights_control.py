"""The control table of the study `attention`: measures of a model's heads and of heads with random weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Floats
from wordworth.records import Table

CONTROL = {
    "figure": "entropy, special, self, previous, next or across, as in the table of heads",
    "mean": "over the heads of the first model",
    "lowest": "of its heads",
    "highest": "of its heads",
    "over_half": "how many of its heads are above one half; of no meaning for entropy",
    "random_mean": "over the heads of the same shape with random weights, for the same text",
    "random_lowest": "of these heads",
    "random_highest": "of these heads",
    "random_over_half": "how many of these heads are above one half",
    "above": "how many heads of the first model are above every head with random weights",
    "below": "how many are below every head with random weights",
    "luck": "how many would be above, and how many below, were the heads of both alike",
}
_FIGURES = ("entropy", "special", "self", "previous", "next", "across")
_HALF = 0.5
Row = Mapping[str, Any]


def control_table(heads: Sequence[Row], random: Sequence[Row]) -> Table:
    """Return the table `control`: measures of a model's heads, such as entropy, and of heads with random weights.

    The column `luck` is the number of the model's heads that chance alone would put above all random heads. If n heads
    of the model and m random heads had the same distribution, each of the model's heads would be above all random heads
    with probability 1 / (m + 1). Of n heads, n / (m + 1) are then expected.

    Args:
        heads: the rows of the model's heads in the table `heads`.
        random: the same rows of a model of the same shape with random weights.
    """
    pairs = {figure: (_known(heads, figure), _known(random, figure)) for figure in _FIGURES}
    return Table.of([_row(figure, *pair) for figure, pair in pairs.items() if all(map(len, pair))], CONTROL)


def _known(rows: Sequence[Row], figure: str) -> Floats:
    values = np.array([np.nan if row[figure] is None else row[figure] for row in rows], dtype=np.float64)
    known: Floats = values[np.isfinite(values)]
    return known


def _row(figure: str, own: Floats, random: Floats) -> dict[str, Any]:
    return {
        "figure": figure,
        **_summary("", own),
        **_summary("random_", random),
        "above": int((own > random.max()).sum()),
        "below": int((own < random.min()).sum()),
        "luck": len(own) / (len(random) + 1),
    }


def _summary(prefix: str, values: Floats) -> dict[str, Any]:
    return {
        f"{prefix}mean": float(values.mean()),
        f"{prefix}lowest": float(values.min()),
        f"{prefix}highest": float(values.max()),
        f"{prefix}over_half": int((values > _HALF).sum()),
    }
