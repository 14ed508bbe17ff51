"""What is said of an example, and a label as a person writes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from wordworth.tasks.task import Task


def written(task: Task, label: Any, row: int) -> str:  # noqa: ANN401 - labels of any kind
    """The label, given or said, of the example in that row of the task.

    Args:
        task: whose kind decides how it is written.
        label: one entry of `Task.labels`, or the like; of a span also the answer as a text.
        row: the example, whose own options are the classes of a choice.
    """
    if task.kind == "regression":
        return f"{float(label):.2f}"
    if task.kind == "multilabel":
        return ", ".join(task.classes[i] for i in np.flatnonzero(label)) or "none"
    if task.kind == "tags":
        return " ".join(task.classes[i] for i in label)
    if task.kind == "choice":
        return (task.examples.options or ())[row][int(label)]
    if task.kind == "span":
        texts = [label] if isinstance(label, str) else [one.text for one in label]
        return " / ".join(dict.fromkeys(texts)) or "no answer"
    return task.classes[int(label)]


def decided(task: Task, said: Any) -> Any:  # noqa: ANN401 - predictions of any kind
    """What predictions of one example come to, as `Task.labels` has it: the best class, or the classes above 0."""
    if task.kind in {"single", "pair", "choice"}:
        return int(np.argmax(said))
    return said > 0 if task.kind == "multilabel" else said


def plain_value(task: Task, label: Any) -> str | float | int | list[str]:  # noqa: ANN401 - labels of any kind
    """The label, given or decided, as a file of labels holds it: class names, numbers, or lists of them.

    Of a choice it is the option's number from 0; of a span given the texts of all answers, of one decided its text.
    """
    if task.kind == "regression":
        return float(label)
    if task.kind == "choice":
        return int(label)
    if task.kind == "multilabel":
        return [task.classes[i] for i in np.flatnonzero(label)]
    if task.kind == "tags":
        return [task.classes[i] for i in label]
    if task.kind == "span":
        return str(label) if isinstance(label, str) else [one.text for one in label]
    return task.classes[int(label)]
