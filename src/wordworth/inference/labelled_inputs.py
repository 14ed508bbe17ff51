"""Read labelled rows of a file as inputs of a fine-tuned model, with labels numbered as the model's classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import Tensor

from wordworth.errors import BadInput, nearest
from wordworth.inference.finetuned_network import Network
from wordworth.inference.label_mismatch import described, label_mismatch
from wordworth.inference.predictor_base import PredictorBase
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.activation_taps import Taps
from wordworth.records import Finding
from wordworth.tasks.reading.read_task import ReadSettings, read_files, read_task
from wordworth.tasks.task import Labels, Rows, Task
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel

LEARNED = "warning.learned_rows"
_LEARNED = (
    "The model learned from this very file: its scores on rows that it learned from say little about other texts. Give "
    "rows that it did not learn from."
)


@dataclass(frozen=True, slots=True)
class LabelledInputs:
    """Tokenized examples for a fine-tuned model, with their labels.

    Attributes:
        inputs: the tokenized examples.
        targets: the labels as tensors, for the model's loss.
        labels: the labels as arrays, for a metric.
    """

    inputs: TokenizedExamples
    targets: LabelTensors
    labels: Labels

    def __len__(self) -> int:
        return len(self.inputs)


def read_halves(predictor: PredictorBase, data: Path | str, settings: ReadSettings) -> Task:
    """Read labelled rows as a task whose training and test part are random halves of the rows.

    A study of a finished model makes its choices on the training part and measures on the test part.

    Args:
        predictor: the model, whose kind of task and classes the rows must have.
        data: the file.
        settings: columns, metric, limit and seed; its share of test rows is ignored.

    Raises:
        BadInput: the file cannot be read, or its labels do not fit the model.
    """
    task = read_in_classes_of(predictor, data, replace(settings, test=0.5))
    return replace(task, warnings=(*learned_rows(predictor, task), *task.warnings))


def read_in_classes_of(predictor: PredictorBase, data: Path | str, settings: ReadSettings) -> Task:
    """Read labelled rows as a task of a fine-tuned model's kind, with labels numbered as the model's classes.

    Args:
        predictor: the model.
        data: the file.
        settings: columns, test part, metric, limit and seed.

    Raises:
        BadInput: the file cannot be read, or its labels do not fit the model.
    """
    wanted = of_kind_of(predictor, settings)
    try:
        return in_classes_of(predictor, read_task(data, wanted))
    except BadInput as error:
        mismatch = label_mismatch(predictor, read_files(data, wanted)[0])
        if mismatch is None:
            raise
        raise mismatch from error


def learned_rows(predictor: PredictorBase, task: Task) -> tuple[Finding, ...]:
    """Return a tuple with one warning if the model was trained on a file of the task's rows, else an empty tuple."""
    is_new = predictor.learned_from.isdisjoint(origin.sha256 for origin in task.origins)
    return () if is_new else (Finding(LEARNED, _LEARNED),)


def of_kind_of(predictor: PredictorBase, settings: ReadSettings) -> ReadSettings:
    """Return the same settings with the kind of task of a fine-tuned model.

    Args:
        predictor: the model.
        settings: columns, metric, limit and seed.

    Raises:
        BadInput: the settings name a column of second texts, and the model reads one text a row.
    """
    if settings.text_b is not None and not predictor.pairs:
        raise BadInput("this model reads one text a row", where="--text-b", mend="leave it out")
    return replace(settings, kind=predictor.task_type.name)


def labelled_inputs(network: Network, task: Task, rows: Rows) -> LabelledInputs:
    """Return rows of a task, tokenized for a fine-tuned model, with their labels.

    Args:
        network: the model.
        task: a task with the model's classes, as `in_classes_of` returns it.
        rows: indices of the rows in the task, int64 [n].
    """
    head = network.tuned.head
    inputs, labels = head.encode(network.reader, task.examples.take(rows)), task.gold(rows)
    targets = head.targets(labels, inputs)
    if targets.values.is_floating_point():  # the saved head predicts values on their own scale
        targets = LabelTensors(torch.from_numpy(np.asarray(labels)).float(), targets.bias)
    return LabelledInputs(inputs, targets, labels)


def predict(
    tuned: FineTunedModel, examples: LabelledInputs, taps: Taps | None = None, head_scale: Tensor | None = None
) -> Predicted:
    """Return the predictions for examples, in the form that a metric takes.

    Args:
        tuned: the model, of any kind of task but answer spans.
        examples: the examples.
        taps: inner values of the forward pass to read or change; None reads and changes nothing.
        head_scale: a factor for the output of each attention head, float32 [layers, heads]; None leaves them as they
            are.
    """
    return cast("Predicted", tuned.predict(examples.inputs, taps, head_scale))


def in_classes_of(predictor: PredictorBase, task: Task) -> Task:
    """Return the same task with its labels numbered as a fine-tuned model numbers its classes.

    Raises:
        BadInput: the task is of another kind than the model, or has a class that the model does not know.
    """
    where = task.origins[0].path if task.origins else task.name
    if task.type is not predictor.task_type:
        what = f"these are labels for {task.type.name}, and the model was fine-tuned for {described(predictor)}"
        raise BadInput(what, where=where, mend="give labelled rows like those it was fine-tuned on")
    used = _used_classes(task.labels)
    unknown = [name for number, name in enumerate(task.classes) if number in used and name not in predictor.classes]
    if unknown:
        mend = f"give rows of its classes, or another --label ({nearest(unknown[0], predictor.classes)})"
        raise BadInput(f"the model was not fine-tuned on class {unknown[0]!r}", where=where, mend=mend)
    if task.classes == predictor.classes:
        return task
    numbers = {name: number for number, name in enumerate(predictor.classes)}
    number = np.array([numbers.get(name, -1) for name in task.classes], dtype=np.int64)
    return replace(task, classes=predictor.classes, labels=_renumbered(task.labels, number, len(predictor.classes)))


def _used_classes(labels: Labels) -> set[int]:
    """Return the indices of the classes that occur among labels; the set is empty for labels that are numbers."""
    if isinstance(labels, tuple):
        return set(np.concatenate([np.zeros(0, np.int64), *labels]).tolist())
    if labels.dtype == np.bool_:
        return set(np.flatnonzero(labels.any(0)).tolist())
    return set() if np.issubdtype(labels.dtype, np.floating) else set(np.unique(labels).tolist())


def _renumbered(labels: Labels, number: Rows, classes: int) -> Labels:
    if isinstance(labels, tuple):
        return tuple(number[tags] for tags in labels)
    if labels.dtype == np.bool_:
        flags = np.zeros((len(labels), classes), dtype=np.bool_)
        flags[:, number[number >= 0]] = labels[:, number >= 0]
        return flags
    return number[labels]
