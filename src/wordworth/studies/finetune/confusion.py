"""What is taken for what: classes by classes, or types of entities at the same place; and each class's own scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.chunk_f1 import chunks, scheme

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wordworth.tasks.task import Task
    from wordworth.training.task_heads.base import TaskPredictions

CONFUSION = {"gold": "the label given", "said": "what the kept run says", "count": "test examples, or entities"}
CLASSES = {
    "name": "the class, label or entity type",
    "precision": "of what it is said of, the share that has it; null where it is never said",
    "recall": "of what has it, the share that it is said of",
    "f1": "their harmonic mean",
    "gold": "test examples or entities that have it",
    "said": "times that it is said",
}
NOTHING = "no entity"


def confusion_rows(task: Task, said: TaskPredictions) -> list[dict[str, Any]]:
    """Counts of (gold, said) that occur; none for kinds without classes."""
    gold = task.gold(task.test)
    if task.kind in {"single", "pair"}:
        assert not isinstance(said, tuple)  # noqa: S101 - by the contract of the kind
        return _counted(np.asarray(gold), said.argmax(1), task.classes)
    if task.kind != "tags" or len(scheme(task.classes).types) < 1:
        return []
    pairs, types = _entities(task, gold, said)
    return _counted(pairs[:, 0], pairs[:, 1], (*types, NOTHING))


def class_rows(task: Task, said: TaskPredictions) -> list[dict[str, Any]]:
    """Precision, recall and F1 of each class."""
    gold = task.gold(task.test)
    if task.kind == "multilabel":
        assert not isinstance(said, tuple)  # noqa: S101 - by the contract of the kind
        given, told = np.asarray(gold), said > 0
        return [_row(name, given[:, i] & told[:, i], given[:, i], told[:, i]) for i, name in enumerate(task.classes)]
    if task.kind in {"single", "pair"}:
        assert not isinstance(said, tuple)  # noqa: S101 - by the contract of the kind
        pairs, names = np.stack([np.asarray(gold), said.argmax(1)], axis=1), task.classes
    elif task.kind == "tags":
        pairs, names = _entities(task, gold, said)
    else:
        return []
    return [
        _row(name, (pairs == number).all(1), pairs[:, 0] == number, pairs[:, 1] == number)
        for number, name in enumerate(names)
    ]


def _entities(task: Task, gold: Any, said: Any) -> tuple[NDArray[np.int64], tuple[str, ...]]:  # noqa: ANN401 - tags
    """int64 [places, 2], the types that both sides see at a place (start and end); the last number is no entity."""
    of = scheme(task.classes)
    sides = [chunks(side, of) for side in (gold, said)]
    found = [
        dict(zip(zip(one.start.tolist(), one.end.tolist(), strict=True), one.kind.tolist(), strict=True))
        for one in sides
    ]
    nothing = len(of.types)
    places = sorted(found[0].keys() | found[1].keys())
    pairs = [[found[0].get(place, nothing), found[1].get(place, nothing)] for place in places]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), of.types


def _counted(gold: NDArray[np.int64], said: NDArray[np.int64], names: tuple[str, ...]) -> list[dict[str, Any]]:
    pairs, counts = np.unique(np.stack([gold, said], axis=1), axis=0, return_counts=True)
    return [
        {"gold": names[one], "said": names[other], "count": int(count)}
        for (one, other), count in zip(pairs.tolist(), counts, strict=True)
    ]


def _row(name: str, both: NDArray[np.bool_], gold: NDArray[np.bool_], said: NDArray[np.bool_]) -> dict[str, Any]:
    right, given, told = int(both.sum()), int(gold.sum()), int(said.sum())
    return {
        "name": name,
        "precision": right / told if told else None,
        "recall": right / given if given else None,
        "f1": 2 * right / (given + told) if given + told else None,
        "gold": given,
        "said": told,
    }
