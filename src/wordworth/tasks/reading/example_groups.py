"""Examples that hang together, and so are drawn together when a test part is drawn again (cluster bootstrap)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.labels import Integers
from wordworth.tasks.task import Examples, Kind


def group_ids(kind: Kind, examples: Examples) -> Integers:
    """The number of the cluster that each example is drawn with, int64 [n].

    A paragraph's questions, a premise's hypotheses and a document's sentences hang together. Where nothing says so of
    sentences, or all examples would hang together and nothing could be drawn, each stands by itself.
    """
    alone = range(len(examples))
    if kind == "tags":
        found = groups(examples.documents or alone)
    else:
        found = groups(examples.second if kind == "span" and examples.second is not None else examples.first)
    return found if len(np.unique(found)) > 1 else groups(alone)


def split_groups(examples: Examples) -> tuple[tuple[str, Integers], ...]:
    """What should not stand in both parts when a file is parted: its name and number int64 [n], the wishes in order.

    Sentences of a document or pairs of one first text first; then texts that are equal but for case and white space.
    """
    texts = ("text" if examples.second is None else "pair of texts", groups(plain(examples)))
    if examples.documents is not None:
        return ("document", groups(examples.documents)), texts
    if examples.second is not None:
        return ("first text", groups(plain(replace(examples, second=None)))), texts
    return (texts,)
