"""Error analysis of the best run: confusion of classes or entity types, scores by class, and test examples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.metrics import errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wordworth.tasks.task import Task
    from wordworth.training.task_heads.base import TaskPredictions

CONFUSION = {
    "gold": "gold label",
    "predicted": "prediction of the best run",
    "count": "number of test examples or entities",
}
CLASSES = {
    "name": "the class, label or entity type",
    "precision": "share of its predictions that are right; null where it is never predicted",
    "recall": "share of its gold examples that are predicted",
    "f1": "harmonic mean of precision and recall",
    "gold": "number of test examples or entities of this class",
    "predicted": "number of predictions of this class",
}
EXAMPLES = {
    "which": "wrong: most confident and wrong; right: most confident and right; unsure: least confident",
    "row": "index of the example in the test part, from 0",
    "text": "the text; the context of a question",
    "second": "the other text of a pair; the question of a choice or of a span",
    "gold": "gold label",
    "predicted": "prediction of the best run",
    "confidence": "predicted probability of the prediction; null for kinds without probabilities",
    "marks": "JSON: [start, end, side, type] in characters of the text; side is gold, predicted or both",
}
MOST = 12
_TEXT = 1_200
_UNSURE = 6


def confusion_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Return the rows of the table `confusion`: the count of each pair of gold label and prediction that occurs.

    The list is empty for kinds of task without classes.
    """
    counted = task.type.class_pairs(task.gold(task.test), predictions, task.classes)
    return [] if counted is None else _confusions(*counted)


def class_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Return the rows of the table `classes`: precision, recall and F1 of each class, from 0 to 1.

    Args:
        task: the task.
        predictions: the predictions for the test part of the task.
    """
    flags = task.type.class_flags(task.gold(task.test), predictions, task.classes)
    return [_class_row(name, gold & predicted, gold, predicted) for name, gold, predicted in flags]


def _confusions(pairs: NDArray[np.int64], names: tuple[str, ...]) -> list[dict[str, Any]]:
    different, counts = np.unique(pairs, axis=0, return_counts=True)
    return [
        {"gold": names[true], "predicted": names[prediction], "count": int(count)}
        for (true, prediction), count in zip(different.tolist(), counts, strict=True)
    ]


def _class_row(
    name: str, both: NDArray[np.bool_], gold: NDArray[np.bool_], predicted: NDArray[np.bool_]
) -> dict[str, Any]:
    right, true, positive = int(both.sum()), int(gold.sum()), int(predicted.sum())
    return {
        "name": name,
        "precision": right / positive if positive else None,
        "recall": right / true if true else None,
        "f1": 2 * right / (true + positive) if true + positive else None,
        "gold": true,
        "predicted": positive,
    }


def example_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Return the rows of the table `examples`: at most 12 wrong, 6 right and 6 unsure predictions of the test part.

    The wrong and right predictions have the highest confidence of their kind, the unsure predictions the lowest of all.
    Equal texts give one example, and so do questions on the same context.
    """
    wrong = errors(task.gold(task.test), predictions)  # type: ignore[arg-type]  # as the kind has it
    confidence = _confidence(task, predictions)
    order = np.lexsort((np.arange(len(confidence)), -confidence))
    unsure = (row for row in order[::-1] if confidence[row] < 1) if task.type.exclusive else iter(())
    picked = {
        "wrong": _distinct(task, (row for row in order if wrong[row] > task.type.wrong_from), MOST),
        "right": _distinct(task, (row for row in order if wrong[row] <= task.type.right_to), MOST // 2),
        "unsure": _distinct(task, unsure, _UNSURE),
    }
    return [_example_row(task, predictions, which, row) for which, rows in picked.items() for row in rows]


def _distinct(task: Task, rows: Iterator[np.int64], most: int) -> list[int]:
    """Return the first `most` of `rows`, indices in the test part, without rows whose texts repeat an earlier row."""
    row_of: dict[tuple[str, str], int] = {}
    while len(row_of) < most and (row := next(rows, None)) is not None:
        row_of.setdefault(_text(task, int(task.test[row])), int(row))
    return list(row_of.values())


def _text(task: Task, row: int) -> tuple[str, str]:
    """Return a key of the example `row`: its texts, or the context alone of a question (`TaskType.shown_once`)."""
    first, second = task.examples.first[row], task.examples.second[row] if task.examples.second else ""
    return task.type.shown_once(first, second)


def _confidence(task: Task, predictions: TaskPredictions) -> NDArray[np.float64]:
    """Return the confidence of each prediction for the test part, float64 [n]: the highest probability, 0 to 1.

    For kinds of task without probabilities, the size of each error is returned instead (`TaskType.error_sizes`).
    """
    if not task.type.exclusive:
        return task.type.error_sizes(task.gold(task.test), predictions)
    assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of the kind
    shares = np.exp(predictions - predictions.max(1, keepdims=True))
    highest: NDArray[np.float64] = (shares / shares.sum(1, keepdims=True)).max(1)
    return highest


def _example_row(task: Task, predictions: TaskPredictions, which: str, index: int) -> dict[str, Any]:
    row, examples, kind = int(task.test[index]), task.examples, task.type
    gold = task.gold(task.test[index : index + 1])[0]
    words = () if examples.words is None else examples.words[row]
    text, second = kind.texts(examples.first[row], examples.second[row] if examples.second else "", words)
    text, marks = _clipped(text, kind.marks(words or text, (gold, predictions[index]), task.classes))
    return {
        "which": which,
        "row": index,
        "text": text,
        "second": second,
        "gold": task.label_text(gold, row),
        "predicted": task.label_text(kind.decide(predictions[index]), row),
        "confidence": float(_confidence(task, predictions)[index]) if kind.exclusive else None,
        "marks": json.dumps(marks),
    }


def _clipped(text: str, marks: list[tuple[int, int, str, str]]) -> tuple[str, list[tuple[int, int, str, str]]]:
    """Return a text, clipped around its first mark if it is long, with the marks that lie inside it.

    Args:
        text: the text.
        marks: (start, end, side, type) of each mark; start and end are in characters, and are moved with the clip.
    """
    if len(text) <= _TEXT:
        return text, marks
    first = max(0, min((mark[0] for mark in marks), default=0) - _TEXT // 3)
    part = text[first : first + _TEXT]
    before, after = "…" if first else "", "…" if first + _TEXT < len(text) else ""
    moved = [(a - first + len(before), b - first + len(before), side, kind) for a, b, side, kind in marks]
    return before + part + after, [mark for mark in moved if len(before) <= mark[0] and mark[1] <= len(before) + _TEXT]
