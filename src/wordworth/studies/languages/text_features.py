"""Features of a text for a linear head, either an encoder's vectors or TF-IDF of character n-grams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth import seeds
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.representations.heads.base import Target, Views
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.tfidf import IdfWeights, Ngrams, count_ngrams
from wordworth.studies.languages.language_texts import LanguageTexts
from wordworth.tasks.task_types.classification import CLASSIFICATION

Vectors = NDArray[np.float32]
_VIEW = "features"
_NGRAMS = Ngrams("char_wb", 1, 5)
"""The n-grams of 1 to 5 characters; a single character may be a word, as in Chinese."""


class TextFeatures(Protocol):
    """Features of a list of texts; the features of some of the texts are requested by the indices of these texts.

    Some kinds of features are first fitted on the training texts.
    """

    def fitted(self, learned: Integers) -> Callable[[Integers], Any]:
        """Fit the features on the texts with the indices `learned`.

        Returns:
            A function from the indices of any texts, int64 [rows], to their features, [rows, width].
        """


@dataclass(frozen=True, slots=True)
class EncoderFeatures:
    """Sentence vectors of an encoder as features: `vectors`, float32 [texts, width], each of length 1."""

    vectors: Vectors

    def fitted(self, learned: Integers) -> Callable[[Integers], Vectors]:  # noqa: ARG002 - as TextFeatures
        """Return the function from indices of texts to sentence vectors, [rows, width], without fitting anything.

        Args:
            learned: int64 [rows], not used.
        """
        return self.vectors.__getitem__


@dataclass(frozen=True, slots=True)
class CharacterFeatures:
    """TF-IDF of n-grams of 1 to 5 characters as features; n-grams and weights are fitted on the training texts."""

    texts: Sequence[str]

    def fitted(self, learned: Integers) -> Callable[[Integers], csr_matrix]:
        """Fit TF-IDF of character n-grams on the texts with the indices `learned`.

        Returns:
            A function from the indices of any texts, int64 [rows], to their features, sparse [rows, n-grams].
        """
        counts = count_ngrams(_NGRAMS, tuple(self.texts[row] for row in learned))
        weights = IdfWeights.of(counts.rows([self.texts[row] for row in learned]), 1)
        return lambda rows: weights(counts.rows([self.texts[row] for row in rows]))


def right_answers(
    features: TextFeatures, data: LanguageTexts, train: Integers, tests: Integers, seed: int, *, shuffled: bool = False
) -> Flags:
    """Train a linear head, and return for each test text whether the head labels it correctly, bool [tests].

    The regularisation of the head is chosen by cross-validation within the training texts.

    Args:
        features: features of all texts.
        data: the texts with their labels.
        train: int64 [n], indices of the texts that the head learns from.
        tests: int64 [tests], indices of the texts that the head labels.
        seed: seed of the study.
        shuffled: whether the training labels are permuted, as a control.
    """
    rng, head = seeds.child(seed, "languages", "head", str(train[0]), str(shuffled)), LinearHead()
    labels = data.labels[train]
    if shuffled:
        labels = rng.permutation(labels)
    target = Target(kind=CLASSIFICATION.name, labels=labels, classes=data.classes, metric="accuracy")

    def fold(own: Integers, held_out: Integers) -> tuple[Views, Views]:
        of_rows = features.fitted(train[own])
        return {_VIEW: of_rows(train[own])}, {_VIEW: of_rows(train[held_out])}

    choice = head.choose(fold, target, rng)
    of_rows = features.fitted(train)
    scores = head.learn({_VIEW: of_rows(train)}, target, choice, rng).predict(of_rows(tests))
    right: Flags = np.asarray(scores).argmax(1) == data.labels[tests]
    return right
