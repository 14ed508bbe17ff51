"""The confusion matrix, of classes or of entity types at the same position, and the scores of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

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


def confusion_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Count the pairs (gold, prediction) that occur; empty for kinds of task without classes."""
    counted = task.type.class_pairs(task.gold(task.test), predictions, task.classes)
    return [] if counted is None else _counted(*counted)


def class_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Return precision, recall and F1 of each class."""
    flags = task.type.class_flags(task.gold(task.test), predictions, task.classes)
    return [_row(name, gold & predicted, gold, predicted) for name, gold, predicted in flags]


def _counted(pairs: NDArray[np.int64], names: tuple[str, ...]) -> list[dict[str, Any]]:
    different, counts = np.unique(pairs, axis=0, return_counts=True)
    return [
        {"gold": names[true], "predicted": names[prediction], "count": int(count)}
        for (true, prediction), count in zip(different.tolist(), counts, strict=True)
    ]


def _row(name: str, both: NDArray[np.bool_], gold: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> dict[str, Any]:
    right, true, positive = int(both.sum()), int(gold.sum()), int(predicted.sum())
    return {
        "name": name,
        "precision": right / positive if positive else None,
        "recall": right / true if true else None,
        "f1": 2 * right / (true + positive) if true + positive else None,
        "gold": true,
        "predicted": positive,
    }
