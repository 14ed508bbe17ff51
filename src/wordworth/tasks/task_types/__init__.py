"""Kinds of task by name: ours, one file each, those of other packages, and those that a caller registers."""

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
"""The kinds that rungs of the ladder learn."""

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
        BadInput: the name is taken by another.
    """
    _TYPES.register(task_type.name, task_type)


def names() -> list[str]:
    """The names of all kinds of task."""
    return _TYPES.names()


def get(name: str) -> TaskType:
    """The kind of task with this name, or with this former name.

    Raises:
        BadInput: there is none.
    """
    today = todays_name(name)
    if today not in names():
        raise BadInput(f"no kind of task {name!r}", where="--kind", mend=nearest(name, names()))
    return _TYPES.get(today)


def of_record(name: str) -> TaskType:
    """The kind of task of a record, which may be of a package that is not installed here: then a bare `TaskType`."""
    today = todays_name(name)
    return _TYPES.get(today) if today in names() else TaskType()


def todays_name(name: str) -> str:
    """The name of a kind of task, from that or a former one.

    >>> todays_name("span"), todays_name("regression")
    ('question_answering', 'regression')
    """
    return _TYPES.former.get(name, name)


def todays_names(names: Iterable[str]) -> frozenset[str]:
    """The names of kinds of task, from those or former ones."""
    return frozenset(map(todays_name, names))


def can_learn(kinds: Iterable[str], task_type: TaskType) -> bool:
    """Whether what learns these kinds learns a type: the type itself, or one that it derives from."""
    return not todays_names(kinds).isdisjoint(task_type.learned_as)
