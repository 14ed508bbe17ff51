"""Task heads: for each kind of task the layers on the encoder, with encoding, loss and predictions; one file each."""

from __future__ import annotations

from wordworth.registry import load_object
from wordworth.tasks.task import Task
from wordworth.tasks.task_types import TaskType
from wordworth.training.task_heads.base import HeadOptions, TaskHead
from wordworth.training.task_heads.masked_candidates import MaskedCandidateHead
from wordworth.training.task_heads.multiple_choice import ChoiceHead
from wordworth.training.task_heads.question_answering import SpanHead
from wordworth.training.task_heads.sequence_classification import TextHead
from wordworth.training.task_heads.token_classification import TagHead

__all__ = [
    "ChoiceHead",
    "HeadOptions",
    "MaskedCandidateHead",
    "SpanHead",
    "TagHead",
    "TaskHead",
    "TextHead",
    "head_for",
    "head_of",
]


def head_of(
    task: Task, *, context: int = 0, crf: bool = False, margin: float | None = None, options_only: bool = False
) -> TaskHead:
    """Return the `TaskHead` for a task, by its kind and its classes.

    For question answering, the head may predict that there is no answer if a training question has no answer.

    Args:
        task: the task.
        context: for tagging, size in tokens of the window that is filled up with neighbouring sentences of the
            document; 0 reads each sentence alone.
        crf: for tagging, whether a CRF decodes the scores.
        margin: for multiple choice, by how much the right option's score should exceed each wrong option's in the
            multi-margin loss; None for softmax cross-entropy.
        options_only: for multiple choice, whether options are read without their context and question.
    """
    nulls = task.type.has_unanswerable(task.gold(task.train))
    options = HeadOptions(nulls=nulls, context=context, crf=crf, margin=margin, options_only=options_only)
    return head_for(task.type, task.classes, options)


def head_for(task_type: TaskType, classes: tuple[str, ...], options: HeadOptions = HeadOptions()) -> TaskHead:  # noqa: B008 - frozen
    """Return the head for a kind of task, which the factory named by `task_type.head` makes.

    Args:
        task_type: the kind of task.
        classes: the classes of the task.
        options: further options of the head.
    """
    head: TaskHead = load_object(task_type.head)(task_type, classes, options)
    return head
