"""Warnings that scores may mislead: unknown classes, macro F1 with rare classes, and intervals of no width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.binomial import exact_interval
from wordworth.records import Finding
from wordworth.sentence_formatting import significant
from wordworth.studies.evaluate.official_scores import PERCENT
from wordworth.tasks.labels import Labelled

_ALL_RIGHT = ("accuracy", "matthews", "macro_f1", "micro_f1", "entity_f1", "exact_match", "exact")
"""Scores that are perfect only if every item is right."""
LEAST_ROWS = 3
"""Fewest rows of a class for which macro F1 gives no warning; it weights rare and frequent classes alike."""


def label_warnings(labelled: Labelled, gold_rows: int, metrics: Sequence[str]) -> list[Finding]:
    """Return warnings about classes that only the predictions have, and about a macro F1 with rare classes.

    Args:
        labelled: the gold labels of all rows, followed by the predictions.
        gold_rows: the number of rows with gold labels.
        metrics: the names of the scores.
    """
    if not labelled.classes:
        return []
    gold = _rows_by_class(labelled, slice(gold_rows))
    predicted = _rows_by_class(labelled, slice(gold_rows, None))
    unknown = _unknown(labelled.classes, gold, predicted)
    return [*unknown, *_rare(labelled.classes, gold)] if "macro_f1" in metrics else unknown


def perfect_score_warnings(rows: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """Return a warning for each task of which every item is right: a bootstrap interval of its score has no width.

    Args:
        rows: the rows of the table `scores`.
    """
    perfect = {row["task"]: row for row in rows if row["metric"] in _ALL_RIGHT and np.isclose(row["score"], PERCENT)}
    return [_perfect(row) for row in perfect.values()]


def _perfect(row: Mapping[str, Any]) -> Finding:
    wrong = 1 - exact_interval(row["items"], row["items"]).low
    text = (
        f"All {row['items']:,} {row['unit']} of {row['task']} are right, so each resample is too, and the interval has "
        f"no width. Of other {row['unit']}, up to {significant(100 * wrong)} % may be wrong (95 %, Clopper and "
        "Pearson)."
    )
    return Finding("warning.perfect_score", text, {"items": row["items"], "wrong": wrong})


def _rows_by_class(labelled: Labelled, part: slice) -> NDArray[np.int64]:
    """Return the number of rows (of words, for tags) that have each class, int64 [classes]."""
    labels = labelled.labels[part]
    if isinstance(labels, np.ndarray) and labels.dtype == np.bool_:
        return np.asarray(labels.sum(axis=0), dtype=np.int64)
    flat = np.concatenate([np.atleast_1d(label) for label in labels])
    return np.bincount(flat, minlength=len(labelled.classes))


def _unknown(classes: Sequence[str], gold: NDArray[np.int64], predicted: NDArray[np.int64]) -> list[Finding]:
    unknown = np.flatnonzero((gold == 0) & (predicted > 0))
    if not len(unknown):
        return []
    different, example = int((predicted > 0).sum()), classes[int(unknown[0])]
    text = (
        f"{len(unknown)} of the {different} classes among the predictions never occur among the labels, such as "
        f"{example!r}: such a prediction is always wrong. If they should be the same, write them alike."
    )
    numbers = {"unknown": len(unknown), "predicted": different, "of": int((gold > 0).sum()), "example": example}
    return [Finding("warning.unknown_classes", text, numbers)]


def _rare(classes: Sequence[str], gold: NDArray[np.int64]) -> list[Finding]:
    rare = np.flatnonzero((gold > 0) & (gold < LEAST_ROWS))
    if not len(rare):
        return []
    of = int((gold > 0).sum())
    text = (
        f"{len(rare)} of the {of} classes have fewer than {LEAST_ROWS} rows, such as {classes[int(rare[0])]!r}: macro "
        "F1, which counts every class alike, and its interval are not to be relied on here."
    )
    return [Finding("warning.rare_classes", text, {"rare": len(rare), "classes": of})]
