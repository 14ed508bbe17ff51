"""Task heads: what is put on an encoder for each kind of task, one file per head."""

from __future__ import annotations

from wordworth.tasks.task import Kind, Task
from wordworth.training.task_heads.base import TaskHead
from wordworth.training.task_heads.multiple_choice import ChoiceHead
from wordworth.training.task_heads.question_answering import SpanHead
from wordworth.training.task_heads.sequence_classification import TextHead
from wordworth.training.task_heads.token_classification import TagHead

__all__ = ["ChoiceHead", "SpanHead", "TagHead", "TaskHead", "TextHead", "head_for", "head_of"]


def head_of(task: Task, *, context: int = 0, crf: bool = False) -> TaskHead:
    """Return the head for a task, by its kind and classes, and whether any training question has no answer."""
    nulls = task.kind == "span" and any(len(answers) == 0 for answers in task.labels[task.train])
    return head_for(task.kind, task.classes, nulls=nulls, context=context, crf=crf)


def head_for(
    kind: Kind, classes: tuple[str, ...], *, nulls: bool = False, context: int = 0, crf: bool = False
) -> TaskHead:
    """Return the head for a kind of task.

    Args:
        kind: of the task.
        classes: the classes or tags.
        nulls: for questions, whether some have no answer.
        context: for tags, the window in tokens that neighbouring sentences of the document fill up; 0 reads each alone.
        crf: for tags, whether a CRF reads the scores.
    """
    if kind == "choice":
        return ChoiceHead()
    if kind == "span":
        return SpanHead(nulls=nulls)
    if kind == "tags":
        return TagHead(classes, context=context, with_crf=crf)
    return TextHead(kind, classes)
