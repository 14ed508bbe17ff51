"""Groups of dependent examples, which are resampled together (cluster bootstrap)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wordworth.tasks import task_types
from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.labels import Integers
from wordworth.tasks.task import Examples


def group_ids(kind: str, examples: Examples) -> Integers:
    """The cluster of each example, int64 [n].

    The questions of a paragraph, the hypotheses of a premise and the sentences of a document depend on each other. Each
    example is its own cluster where no documents are marked, or where all examples would be in one.
    """
    clusters = groups(task_types.get(kind).clusters(examples))
    return clusters if len(np.unique(clusters)) > 1 else groups(range(len(examples)))


def split_groups(examples: Examples) -> tuple[tuple[str, Integers], ...]:
    """What should not be in both parts of a split: each as a name and group numbers int64 [n], most wanted first.

    First come the sentences of a document or the pairs with one first text; then texts equal but for case and white
    space.
    """
    texts = ("text" if examples.second is None else "pair of texts", groups(plain(examples)))
    if examples.documents is not None:
        return ("document", groups(examples.documents)), texts
    if examples.second is not None:
        return ("first text", groups(plain(replace(examples, second=None)))), texts
    return (texts,)
