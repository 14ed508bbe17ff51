"""Labels and predictions of an example as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from wordworth.tasks.task import Task


def written(task: Task, label: Any, row: int) -> str:  # noqa: ANN401 - labels of any kind
    """The text of a label, gold or predicted, of one example of the task.

    Args:
        task: its kind decides how the label is written.
        label: one entry of `Task.labels`, or a prediction of that form; for a span also the answer as a string.
        row: the example, whose options are the classes of a `choice` task.
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
        texts = [label] if isinstance(label, str) else [answer.text for answer in label]
        return " / ".join(dict.fromkeys(texts)) or "no answer"
    return task.classes[int(label)]


def decided(task: Task, said: Any) -> Any:  # noqa: ANN401 - predictions of any kind
    """Turn the scores of one example into a label as in `Task.labels`: the best class, or the classes above 0."""
    if task.kind in {"single", "pair", "choice"}:
        return int(np.argmax(said))
    return said > 0 if task.kind == "multilabel" else said


def plain_value(task: Task, label: Any) -> str | float | int | list[str]:  # noqa: ANN401 - labels of any kind
    """The label, gold or predicted, as files of labels hold it: class names, numbers, or lists of them.

    For a choice it is the option's number from 0; for a gold span the texts of all answers, for a predicted one its
    text.
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
        return str(label) if isinstance(label, str) else [answer.text for answer in label]
    return task.classes[int(label)]
