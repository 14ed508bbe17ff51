"""`rerank`: rank texts by their relevance to a query with a cross-encoder, a model fine-tuned on pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from wordworth.errors import BadInput, nearest
from wordworth.tasks.examples import Examples
from wordworth.text.tokens import require_texts

if TYPE_CHECKING:
    import pandas as pd

    from wordworth.inference.finetuned_network import Network
    from wordworth.inference.read_predictor import AnyPredictor

_TWO = 2


def rerank(predictor: AnyPredictor, query: str, texts: Sequence[str], relevant: str | None = None) -> pd.DataFrame:
    """Rank texts by their relevance to a query, the most relevant first.

    Args:
        predictor: a model that reads two texts together and gives a value or one of several classes.
        query: the first text of each pair.
        texts: the second texts.
        relevant: the class of pairs in which the text is relevant; None takes the second of two classes.

    Returns:
        A row for each text with the columns `text` and `score`: the probability of the class `relevant`, or the
        predicted value of a regression model. The index of a row is the text's number in `texts`.

    Raises:
        BadInput: the model reads one text, has no class of this name, or has more than two classes and `relevant` is
            None; or a text is not a string.
    """
    import pandas as pd

    network, column = cross_encoder(predictor, relevant)
    listed, (query,) = require_texts(texts), require_texts([query])
    scores = relevance(network, column, [(query, text) for text in listed])
    order = np.argsort(-scores, kind="stable")
    return pd.DataFrame({"text": [listed[row] for row in order], "score": scores[order]}, index=order)


def relevance(network: Network, column: int | None, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """Return the relevance of the second text of each pair to the first, float64 [pairs].

    Args:
        network: the model, as `cross_encoder` returns it with `column`.
        column: index of the class of relevant pairs, whose probability from 0 to 1 is returned; None returns the
            value that a regression model predicts.
        pairs: the pairs of texts, the query first.
    """
    if not pairs:
        return np.zeros(0)
    first, second = zip(*pairs, strict=True)
    tuned = network.tuned
    scores = np.asarray(tuned.predict(tuned.head.encode(network.reader, Examples(first, second))), dtype=np.float64)
    return scores if column is None else np.asarray(softmax(scores, axis=1)[:, column])


def cross_encoder(predictor: AnyPredictor, relevant: str | None) -> tuple[Network, int | None]:
    """Return the network of a cross-encoder, and the index of its class of relevant pairs.

    The index is None for a regression model, whose value is the relevance.

    Args:
        predictor: the model.
        relevant: name of the class of relevant pairs; None takes the second of two classes.

    Raises:
        BadInput: the model is not a fine-tuned network that reads two texts, or has no class of this name.
    """
    network = predictor.network
    if not predictor.pairs or network is None:
        mend = "fine-tune on pairs: a file with two columns of texts, the query first"
        raise BadInput("this model does not read two texts together", where="rerank", mend=mend)
    classes = predictor.classes
    if predictor.task_type.numeric:
        return network, None
    if relevant is None and len(classes) == _TWO:
        return network, 1
    if relevant not in classes:
        what = "the class of relevant pairs is not named" if relevant is None else f"there is no class {relevant!r}"
        raise BadInput(what, where="relevant", mend=nearest(relevant or "", classes))
    return network, classes.index(relevant)
