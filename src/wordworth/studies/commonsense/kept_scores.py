"""The scores of a set as arrays on disk, kept as each method ends, so that a stopped study goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.studies.commonsense.answers import Scores
from wordworth.studies.commonsense.items import ChoiceSet
from wordworth.studies.finished_parts import Arrays, FinishedParts

_NO_SCORES = -1
"""The number of scores of an item that a method has none of."""


def kept_scores(
    parts: FinishedParts, items: ChoiceSet, name: str, compute: Callable[[], Mapping[str, Scores]]
) -> dict[str, Scores]:
    """Return the scores of a set by several methods, read from the cache or computed and then kept.

    Args:
        parts: the finished parts of the study.
        items: the set; its texts decide the scores.
        name: of the methods.
        compute: computes the scores by method.
    """
    key = content_key(*(part for item in items.items for part in (*item.texts, item.before, item.pronoun, "\0")))
    return unpacked(parts.arrays((name, items.kind, key), lambda: packed(compute())))


def packed(scores: Mapping[str, Scores]) -> dict[str, NDArray[np.generic]]:
    """Return scores as arrays: the names of the methods, and of each how many scores every item has, end to end."""
    arrays: dict[str, NDArray[np.generic]] = {"methods": np.array(list(scores), dtype=np.str_)}
    for number, each in enumerate(scores.values()):
        arrays[f"counts_{number}"] = np.array([_NO_SCORES if item is None else len(item) for item in each])
        arrays[f"scores_{number}"] = np.concatenate([np.zeros(0), *(item for item in each if item is not None)])
    return arrays


def unpacked(arrays: Arrays) -> dict[str, Scores]:
    """Return the scores that `packed` made arrays of."""
    return {
        str(method): _by_item(arrays[f"counts_{number}"], arrays[f"scores_{number}"])
        for number, method in enumerate(arrays["methods"])
    }


def _by_item(counts: NDArray[np.int64], scores: NDArray[np.float64]) -> Scores:
    ends = np.cumsum(np.maximum(counts, 0))[:-1]
    rows = np.split(scores, ends) if len(counts) else []
    return [None if count == _NO_SCORES else row for count, row in zip(counts.tolist(), rows, strict=True)]
