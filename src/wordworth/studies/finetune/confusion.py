"""The confusion matrix, of classes or of entity types at the same position, and the scores of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.chunk_f1 import chunks, scheme

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
NOTHING = "no entity"


def confusion_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Count the pairs (gold, prediction) that occur; empty for kinds of task without classes."""
    gold = task.gold(task.test)
    if task.kind in {"single", "pair"}:
        assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of the kind
        return _counted(np.asarray(gold), predictions.argmax(1), task.classes)
    if task.kind != "tags" or len(scheme(task.classes).types) < 1:
        return []
    pairs, types = _entities(task, gold, predictions)
    return _counted(pairs[:, 0], pairs[:, 1], (*types, NOTHING))


def class_rows(task: Task, predictions: TaskPredictions) -> list[dict[str, Any]]:
    """Return precision, recall and F1 of each class."""
    gold = task.gold(task.test)
    if task.kind == "multilabel":
        assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of the kind
        true, predicted = np.asarray(gold), predictions > 0
        return [
            _row(name, true[:, i] & predicted[:, i], true[:, i], predicted[:, i]) for i, name in enumerate(task.classes)
        ]
    if task.kind in {"single", "pair"}:
        assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of the kind
        pairs, names = np.stack([np.asarray(gold), predictions.argmax(1)], axis=1), task.classes
    elif task.kind == "tags":
        pairs, names = _entities(task, gold, predictions)
    else:
        return []
    return [
        _row(name, (pairs == number).all(1), pairs[:, 0] == number, pairs[:, 1] == number)
        for number, name in enumerate(names)
    ]


def _entities(task: Task, gold: Any, predicted: Any) -> tuple[NDArray[np.int64], tuple[str, ...]]:  # noqa: ANN401 - tags
    """Pair the gold and predicted entity types at each (start, end), int64 [positions, 2].

    The number after the last type stands for no entity.
    """
    of = scheme(task.classes)
    sides = [chunks(side, of) for side in (gold, predicted)]
    gold_types, predicted_types = (
        dict(zip(zip(side.start.tolist(), side.end.tolist(), strict=True), side.kind.tolist(), strict=True))
        for side in sides
    )
    nothing = len(of.types)
    positions = sorted(gold_types.keys() | predicted_types.keys())
    pairs = [[gold_types.get(span, nothing), predicted_types.get(span, nothing)] for span in positions]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), of.types


def _counted(gold: NDArray[np.int64], predicted: NDArray[np.int64], names: tuple[str, ...]) -> list[dict[str, Any]]:
    pairs, counts = np.unique(np.stack([gold, predicted], axis=1), axis=0, return_counts=True)
    return [
        {"gold": names[true], "predicted": names[prediction], "count": int(count)}
        for (true, prediction), count in zip(pairs.tolist(), counts, strict=True)
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
