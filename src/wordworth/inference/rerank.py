"""Texts in the order in which a cross-encoder, a model fine-tuned on pairs, finds them relevant to a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import softmax

from wordworth.errors import BadInput, nearest
from wordworth.inference.task_predictor import Network, TaskPredictor
from wordworth.tasks.examples import Examples
from wordworth.text.encoding import require_texts

if TYPE_CHECKING:
    import pandas as pd

_TWO = 2


def rerank(answering: TaskPredictor, query: str, texts: Sequence[str], relevant: str | None = None) -> pd.DataFrame:
    """Return texts in the order of how relevant they are to a query, the most relevant first.

    Args:
        answering: a model that reads two texts together and gives a value or one of several classes.
        query: the first text of each pair.
        texts: the second texts.
        relevant: the class of pairs that belong together; of two classes the second if not given.

    Returns:
        The columns `text` and `score`, the value or the probability of that class; the index is a text's number in
        `texts`.

    Raises:
        BadInput: the model reads one text, has no such class, or has several of which none is named; or a text is no
            string.
    """
    import pandas as pd

    column = _column(answering, relevant)
    listed, (query,) = require_texts(texts), require_texts([query])
    scores = np.zeros(0)
    if listed:
        assert isinstance(answering.model, Network)  # noqa: S101 - by `_column`
        tuned = answering.model.tuned
        pairs = Examples((query,) * len(listed), tuple(listed))
        scores = np.asarray(tuned.predict(tuned.head.encode(answering.model.reader, pairs)), dtype=np.float64)
    if column is not None and listed:
        scores = softmax(scores, axis=1)[:, column]
    order = np.argsort(-scores, kind="stable")
    return pd.DataFrame({"text": [listed[row] for row in order], "score": scores[order]}, index=order)


def _column(answering: TaskPredictor, relevant: str | None) -> int | None:
    """Return the number of the class of relevant pairs; None for a model that gives values."""
    if not answering.pairs or not isinstance(answering.model, Network):
        mend = "fine-tune on pairs: a file with two columns of texts, the query first"
        raise BadInput("this model does not read two texts together", where="rerank", mend=mend)
    classes = answering.classes
    if answering.task_type.numeric:
        return None
    if relevant is None and len(classes) == _TWO:
        return 1
    if relevant not in classes:
        what = "the class of relevant pairs is not named" if relevant is None else f"there is no class {relevant!r}"
        raise BadInput(what, where="relevant", mend=nearest(relevant or "", classes))
    return classes.index(relevant)
