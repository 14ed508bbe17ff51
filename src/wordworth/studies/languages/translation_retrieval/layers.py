"""Retrieval of translations from the mean states of every layer, and the layer chosen on training pairs.

The nearest text by cosine is the one that is retrieved (Artetxe and Schwenk 2019). Texts of a language share a
direction that says nothing of their meaning. So the search is made with plain vectors, and with centred ones, from
which the mean of the language's training texts is subtracted. A translation is then searched for at the text's vector
plus the offset between the means of the two languages (Pires et al. 2019, section 5.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.models.text_encoder import TextEncoder
from wordworth.studies.languages.text_features import CharacterFeatures

Vectors = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class LayerChoice:
    """The layer whose vectors retrieve the most translations, and whether each language's mean vector is subtracted."""

    layer: int
    centred: bool


def retrieved(cosines: Vectors, source_texts: Sequence[str], texts: Sequence[str]) -> Flags:
    """Return for each text whether the nearest text of the other language is its translation, bool [2, n].

    The first row is for the source texts, the second for their translations.

    A text that equals the translation counts as the translation.

    Args:
        cosines: [n, n], similarity of each source text with each text of the other language.
        source_texts: the n texts in the source language.
        texts: their translations, in the same order.
    """
    first, second = (np.unique(side, return_inverse=True)[1] for side in (source_texts, texts))
    return np.stack([second[cosines.argmax(1)] == second, first[cosines.argmax(0)] == first])


def retrieved_by_layer(
    encoder: TextEncoder, source_texts: Sequence[str], texts: Sequence[str], train: Integers
) -> Flags:
    """Retrieve translations by the mean states of each layer, and return which are found, bool [2, layers, 2, n].

    The first axis is plain or centred vectors, the third the direction: from the source language, and to it. Candidates
    are all n texts of a language.

    Args:
        encoder: the encoder.
        source_texts: n texts in the source language.
        texts: their translations.
        train: int64 [k], indices of the training pairs; the means that centring subtracts are computed from them.
    """
    first, second = (encoder.pooled_layers(side) for side in (source_texts, texts))

    def right(layer: int, centred: bool) -> Flags:  # noqa: FBT001 - an inner function
        cosines = _cosines(first[:, layer], second[:, layer], train if centred else None)
        return retrieved(cosines, source_texts, texts)

    return np.stack([[right(layer, centred) for layer in range(first.shape[1])] for centred in (False, True)])


def _cosines(first: Vectors, second: Vectors, train: Integers | None) -> Vectors:
    """Return the cosine of each of the first vectors with each of the second, [n, n].

    Args:
        first: [n, width].
        second: [n, width].
        train: int64 [k], indices of the vectors whose mean is subtracted from all vectors of the same side before; None
            to subtract nothing.
    """
    if train is not None:
        first, second = first - first[train].mean(0), second - second[train].mean(0)
    return unit_or_zero(first) @ unit_or_zero(second).T


def retrieved_by_vectors(encoder: TextEncoder, source_texts: Sequence[str], texts: Sequence[str]) -> Flags:
    """Return which translations the encoder's own sentence vectors retrieve, bool [2, n].

    The first row is from the source texts to their translations, the second the reverse.

    Args:
        encoder: the encoder.
        source_texts: n texts in the source language.
        texts: their translations.
    """
    first, second = (encoder.encode(list(side), long_texts="window") for side in (source_texts, texts))
    return retrieved(_cosines(first, second, None), source_texts, texts)


def retrieved_by_characters(source_texts: Sequence[str], texts: Sequence[str]) -> Flags:
    """Return which translations TF-IDF of character n-grams retrieves, bool [2, n].

    The first row is from the source texts to their translations, the second the reverse.
    """
    number = np.arange(2 * len(texts))
    vectors = CharacterFeatures((*source_texts, *texts)).fitted(number)
    cosines = vectors(number[: len(texts)]) @ vectors(number[len(texts) :]).T
    return retrieved(cosines.toarray(), source_texts, texts)


def chosen_layer(right: Mapping[int, Flags], train: Mapping[int, Integers], layers: Sequence[int]) -> LayerChoice:
    """Choose the layer, and plain or centred vectors, that retrieve most training pairs on average over languages.

    Args:
        right: index of each language -> bool [2, layers, 2, n], whether each translation is retrieved, as
            `retrieved_by_layer` returns it. The axes are: plain and centred vectors, layers, from and to the source
            language, pairs.
        train: index of each language -> int64 [k], the positions of its training pairs.
        layers: the layers to choose from; the first of equally good ones is taken.
    """
    scores = np.mean([each[:, layers][..., train[number]].mean((2, 3)) for number, each in right.items()], axis=0)
    centred, position = np.unravel_index(scores.T.argmax(), scores.T.shape)[::-1]
    return LayerChoice(layers[int(position)], bool(centred))
