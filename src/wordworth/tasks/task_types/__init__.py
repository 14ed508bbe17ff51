"""The registry of kinds of task: Wordworth's own kinds (one file each), other packages' kinds and a caller's kinds."""

from __future__ import annotations

from collections.abc import Iterable

from wordworth.errors import BadInput, nearest
from wordworth.measures.metrics import Metric
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
        "pronoun_resolution": f"{_HERE}.pronoun_resolution:PRONOUN_RESOLUTION",
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
_OURS = [_TYPES.get(name) for name in _TYPES.builtin]
IN_LADDER = frozenset(task_type.name for task_type in _OURS if task_type.in_ladder)
"""Wordworth's kinds that the models of the study `worth` can learn."""
ABOUT_WORDS = frozenset(task_type.name for task_type in _OURS if task_type.in_ladder and task_type.labels_words)
"""Kinds of `IN_LADDER` with a label for each word."""
ABOUT_TEXTS = IN_LADDER - ABOUT_WORDS
"""Kinds of `IN_LADDER` with labels for whole texts."""

__all__ = [
    "ABOUT_TEXTS",
    "ABOUT_WORDS",
    "IN_LADDER",
    "TaskType",
    "can_learn",
    "can_measure",
    "get",
    "names",
    "of_record",
    "register",
    "todays_name",
    "todays_names",
]


def register(task_type: TaskType) -> None:
    """Add a kind of task to the registry under its name.

    Raises:
        BadInput: another kind of task has this name.
    """
    _TYPES.register(task_type.name, task_type)


def names() -> list[str]:
    """Return the names of all kinds of task."""
    return _TYPES.names()


def get(name: str) -> TaskType:
    """Return the kind of task with this current or former name.

    Raises:
        BadInput: there is no kind of task with this name.
    """
    today = todays_name(name)
    if today not in names():
        raise BadInput(f"no kind of task {name!r}", where="--kind", mend=nearest(name, names()))
    return _TYPES.get(today)


def of_record(name: str) -> TaskType:
    """Return the kind of task that a `record.json` names, or a plain `TaskType` if no installed package defines it."""
    today = todays_name(name)
    return _TYPES.get(today) if today in names() else TaskType()


def todays_name(name: str) -> str:
    """Return the current name of a kind of task, given its current or former name.

    >>> todays_name("span"), todays_name("regression")
    ('question_answering', 'regression')
    """
    return _TYPES.former.get(name, name)


def todays_names(names: Iterable[str]) -> frozenset[str]:
    """Return the current names of kinds of task, given their current or former names."""
    return frozenset(map(todays_name, names))


def can_learn(kinds: Iterable[str], task_type: TaskType) -> bool:
    """Return whether a model or a head (a model's classifier) can learn tasks of a type.

    The answer is yes if the type itself, or a type from which it derives, is among the kinds that the model learns.

    Args:
        kinds: the names of the kinds of task that the model or head learns.
        task_type: the kind of the task.
    """
    return not todays_names(kinds).isdisjoint(task_type.learned_as)


def can_measure(metric: Metric, task_type: TaskType) -> bool:
    """Return whether a metric measures tasks of this type.

    A metric declares which forms of labels and which kinds of task it measures. The type must have one of these forms
    of labels, be one of these kinds, or derive from one of them.
    """
    return task_type.label_form in metric.forms or can_learn(metric.kinds, task_type)
