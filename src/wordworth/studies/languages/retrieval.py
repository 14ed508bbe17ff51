"""How well translations are found: the nearest text of the other language, by cosine (Artetxe and Schwenk 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.studies.languages.features import TextFeatures
from wordworth.studies.languages.language_texts import LanguageTexts

LEAST = 10


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How the translations of m items were found among m texts.

    Attributes:
        items: int64 [m], numbers of the items.
        forward: bool [m], whether the nearest text of the other language to each text of the source is its translation.
        backward: bool [m], the same from the other language to the source.
        margin: float64 [m], cosine of each text with its translation less its mean cosine with all other texts.
    """

    items: Integers
    forward: Flags
    backward: Flags
    margin: Floats


def retrieve(features: TextFeatures, data: LanguageTexts, language: int) -> Retrieval | None:
    """Find the translations between the source and another language, in both directions; None where there are few.

    Args:
        features: of all texts; rows of length 1.
        data: the texts.
        language: number of the other language.
    """
    source, other = data.translations(language)
    items = data.item[source]
    if len(items) < LEAST:
        return None
    of_rows = features.fitted(np.concatenate([source, other]))
    cosines = _product(of_rows(source), of_rows(other))
    own = np.diagonal(cosines)
    others = (cosines.sum(1) - own) / (len(items) - 1)
    numbers = np.arange(len(items))
    return Retrieval(items, cosines.argmax(1) == numbers, cosines.argmax(0) == numbers, floats(own - others))


def _product(first: Any, second: Any) -> Floats:  # noqa: ANN401 - dense or sparse
    product = first @ second.T
    return floats(product.toarray() if hasattr(product, "toarray") else product)
