"""Kinds of task by name: Wordworth's (one file each), those of other packages, those that a caller registers."""

from __future__ import annotations

from collections.abc import Iterable

from wordworth.errors import BadInput, nearest
from wordworth.registry import Registry
from wordworth.tasks.task_types.base import TaskType

_HERE = "wordworth.tasks.task_types"
_TYPES: Registry[TaskType] = Registry(
    "kind of task",
    group="wordworth.task_types",
    builtin={
        "classification": f"{_HERE}.classification:CLASSIFICATION",
        "pair_classification": f"{_HERE}.classification:PAIR_CLASSIFICATION",
        "regression": f"{_HERE}.regression:REGRESSION",
        "multilabel": f"{_HERE}.multilabel:MULTILABEL",
        "tagging": f"{_HERE}.tagging:TAGGING",
        "multiple_choice": f"{_HERE}.multiple_choice:MULTIPLE_CHOICE",
        "question_answering": f"{_HERE}.question_answering:QUESTION_ANSWERING",
    },
    former={
        "single": "classification",
        "pair": "pair_classification",
        "tags": "tagging",
        "choice": "multiple_choice",
        "span": "question_answering",
    },
)
ABOUT_TEXTS = frozenset({"classification", "pair_classification", "regression", "multilabel"})
"""The kinds that ask something of a whole text."""
IN_LADDER = ABOUT_TEXTS | {"tagging"}
"""The kinds that rungs of the ladder learn (a rung is a representation of texts with its head)."""

__all__ = [
    "ABOUT_TEXTS",
    "IN_LADDER",
    "TaskType",
    "can_learn",
    "get",
    "names",
    "of_record",
    "register",
    "todays_name",
    "todays_names",
]


def register(task_type: TaskType) -> None:
    """Add a kind of task under its name.

    Raises:
        BadInput: another kind of task has this name.
    """
    _TYPES.register(task_type.name, task_type)


def names() -> list[str]:
    """Return the names of all kinds of task."""
    return _TYPES.names()


def get(name: str) -> TaskType:
    """Return the kind of task with this name, or with this former name.

    Raises:
        BadInput: there is no kind of task with this name.
    """
    today = todays_name(name)
    if today not in names():
        raise BadInput(f"no kind of task {name!r}", where="--kind", mend=nearest(name, names()))
    return _TYPES.get(today)


def of_record(name: str) -> TaskType:
    """Return the kind of task that a record names; a bare `TaskType` if the package of the kind is not installed."""
    today = todays_name(name)
    return _TYPES.get(today) if today in names() else TaskType()


def todays_name(name: str) -> str:
    """Return today's name of a kind of task, given today's or a former name.

    >>> todays_name("span"), todays_name("regression")
    ('question_answering', 'regression')
    """
    return _TYPES.former.get(name, name)


def todays_names(names: Iterable[str]) -> frozenset[str]:
    """Return today's names of kinds of task, given today's or former names."""
    return frozenset(map(todays_name, names))


def can_learn(kinds: Iterable[str], task_type: TaskType) -> bool:
    """Return whether what learns `kinds` learns `task_type`: they include it or a type that it derives from."""
    return not todays_names(kinds).isdisjoint(task_type.learned_as)
