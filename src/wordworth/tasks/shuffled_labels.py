"""`shuffled_labels`: a task whose labels say nothing of its texts, a control for what the true labels teach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.tasks.task import Task


def shuffled_labels(task: Task, seed: int) -> Task:
    """Return the task with the labels outside its test part randomly permuted; test labels stay.

    In multiple choice, labels are permuted among examples with the same number of options.

    Args:
        task: the task.
        seed: seed of the permutation.

    Raises:
        BadInput: labels of this kind (answers in a text, or tags of words) cannot be exchanged between examples.
    """
    if isinstance(task.labels, tuple) or task.labels.dtype == object:
        what = f"the labels of {task.name}, a task of kind {task.kind}, cannot change places"
        raise BadInput(what, mend="leave the controls out, or transfer from a task about whole texts")
    rows = np.setdiff1d(np.arange(len(task.labels)), task.test)
    labels, rng = task.labels.copy(), seeds.child(seed, "shuffled labels")
    counts = np.array([len(options) for options in task.examples.options or ((),) * len(labels)])
    for count in np.unique(counts[rows]):
        alike = rows[counts[rows] == count]
        labels[alike] = task.labels[rng.permutation(alike)]
    return replace(task, name=f"{task.name}, labels shuffled", labels=labels)
