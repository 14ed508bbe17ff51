"""Examples that hang together, and so are drawn together when a test part is drawn again (cluster bootstrap)."""

from __future__ import annotations

import numpy as np

from wordworth.tasks.duplicates import groups
from wordworth.tasks.labels import Integers
from wordworth.tasks.task import Examples, Kind


def clusters(kind: Kind, examples: Examples) -> Integers:
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
