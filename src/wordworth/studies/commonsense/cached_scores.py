"""Cache the scores of a data set on disk as soon as a method has computed them, so that a stopped study resumes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.studies.commonsense.items import ChoiceSet
from wordworth.studies.commonsense.option_scores import Scores
from wordworth.studies.study_result_cache import Arrays, FinishedParts

_NO_SCORES = -1
"""Stands in place of the number of scores for an item that a method has not scored."""


def cached_scores(
    parts: FinishedParts, items: ChoiceSet, name: str, compute: Callable[[], Mapping[str, Scores]]
) -> dict[str, Scores]:
    """Return the scores of a data set by several methods, read from the cache, or computed and then cached.

    Args:
        parts: the disk cache of the study's results.
        items: the data set; its texts are part of the key under which scores are cached.
        name: name of the group of methods.
        compute: function that returns name of each method -> its scores.
    """
    key = content_key(*(part for item in items.items for part in (*item.texts, item.before, item.pronoun, "\0")))
    return unpacked(parts.arrays((name, items.kind, key), lambda: packed(compute())))


def packed(scores: Mapping[str, Scores]) -> dict[str, NDArray[np.generic]]:
    """Return the scores of several methods as named arrays that can be written to one file.

    The array `methods`, [methods], has the names. For each method there are the scores of all items end to end, and a
    count for each item, [items]: its number of options, or -1 for an item that the method has not scored.
    """
    arrays: dict[str, NDArray[np.generic]] = {"methods": np.array(list(scores), dtype=np.str_)}
    for number, each in enumerate(scores.values()):
        arrays[f"counts_{number}"] = np.array([_NO_SCORES if item is None else len(item) for item in each])
        arrays[f"scores_{number}"] = np.concatenate([np.zeros(0), *(item for item in each if item is not None)])
    return arrays


def unpacked(arrays: Arrays) -> dict[str, Scores]:
    """Return name of each method -> the scores of each item, from arrays that `packed` returned."""
    return {
        str(method): _by_item(arrays[f"counts_{number}"], arrays[f"scores_{number}"])
        for number, method in enumerate(arrays["methods"])
    }


def _by_item(counts: NDArray[np.int64], scores: NDArray[np.float64]) -> Scores:
    ends = np.cumsum(np.maximum(counts, 0))[:-1]
    rows = np.split(scores, ends) if len(counts) else []
    return [None if count == _NO_SCORES else row for count, row in zip(counts.tolist(), rows, strict=True)]
