"""Groups of dependent examples, which are resampled together (cluster bootstrap)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.labels import Integers
from wordworth.tasks.task import Examples, Kind


def group_ids(kind: Kind, examples: Examples) -> Integers:
    """The cluster of each example, int64 [n].

    The questions of a paragraph, the hypotheses of a premise and the sentences of a document depend on each other. Each
    example is its own cluster where no documents are marked, or where all examples would be in one.
    """
    alone = range(len(examples))
    if kind == "tags":
        clusters = groups(examples.documents or alone)
    else:
        clusters = groups(examples.second if kind == "span" and examples.second is not None else examples.first)
    return clusters if len(np.unique(clusters)) > 1 else groups(alone)


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
