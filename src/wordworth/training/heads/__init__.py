"""What is put on an encoder for each kind of task: one file a head."""

from __future__ import annotations

from wordworth.tasks.task import Task
from wordworth.training.heads.choice import ChoiceHead
from wordworth.training.heads.head import Head
from wordworth.training.heads.spans import SpanHead
from wordworth.training.heads.tags import TagHead
from wordworth.training.heads.texts import TextHead

__all__ = ["ChoiceHead", "Head", "SpanHead", "TagHead", "TextHead", "head_of"]


def head_of(task: Task, *, context: int = 0, crf: bool = False) -> Head:
    """The head for a task.

    Args:
        task: its kind and classes decide.
        context: of tags, the most tokens that a sentence is read with when its neighbours in the document fill up.
        crf: of tags, whether a CRF reads the scores.
    """
    if task.kind == "choice":
        return ChoiceHead()
    if task.kind == "span":
        return SpanHead(nulls=any(len(answers) == 0 for answers in task.labels[task.train]))
    if task.kind == "tags":
        return TagHead(task.classes, context=context, with_crf=crf)
    return TextHead(task.kind, task.classes)
