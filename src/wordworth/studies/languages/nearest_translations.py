"""Retrieval of translations: the nearest text of the other language, by cosine (Artetxe and Schwenk 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.studies.languages.language_texts import LanguageTexts
from wordworth.studies.languages.text_features import TextFeatures

LEAST = 10


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Which of m pairs of translations are retrieved between the source language and a second language.

    The candidates are the m texts of each language.

    Attributes:
        items: int64 [m], the index of the item (a text with its translations) of each pair, as in `LanguageTexts.item`.
        forward: bool [m], whether the text of the second language nearest to each source text is its translation.
        backward: bool [m], whether the source text nearest to each text of the second language is its translation.
        cosine_gap: float64 [m], cosine of each source text with its translation, minus its mean cosine with the other
            texts of the second language.
    """

    items: Integers
    forward: Flags
    backward: Flags
    cosine_gap: Floats


def retrieve(features: TextFeatures, data: LanguageTexts, language: int) -> Retrieval | None:
    """Return for each pair of translations whether the nearest text is the translation, in both directions.

    Args:
        features: features of all texts, as vectors of length 1.
        data: the texts with their languages and items.
        language: index of the other language.

    Returns:
        What is retrieved; None if there are fewer than `LEAST` translations.
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
