"""The words of classes of texts by class-based TF-IDF (Grootendorst 2022, arXiv 2203.05794, equation 1).

A word t of a class c weighs

    W(t, c) = tf(t, c) * log(1 + A / tf(t))

where tf(t, c) are its occurrences in the texts of the class, tf(t) those in all texts, and A the mean number of words
of a class. The weight of a word that is frequent in every class is lowered, but often not enough. A list of stop words
would need a known language; instead, the words of a class must be distinctive of it (`distinctive`).
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats, ratio

DISTINCTIVE = 3
"""Least ratio of the shares of texts with a distinctive word, in its class and elsewhere."""
LEAST_TEXTS = 2
"""Least number of texts of a class in which a distinctive word occurs."""


def class_tfidf(occurrences: Integers) -> Floats:
    """Return the weight of each word in each class, float64 [words, classes].

    Args:
        occurrences: occurrences of each word in the texts of each class, int64 [words, classes].
    """
    counts = floats(occurrences)
    mean_length = counts.sum() / counts.shape[1]
    return counts * np.log1p(ratio(np.full(len(counts), mean_length), counts.sum(axis=1)))[:, None]


def distinctive(texts_with: Integers, texts: Integers) -> Flags:
    """Return whether each word is distinctive of each class, bool [words, classes].

    The share of texts with the word must be at least three times as high in the class as in the other classes
    (`DISTINCTIVE`). The word must also occur in at least two texts of the class (`LEAST_TEXTS`).

    Args:
        texts_with: number of texts of each class in which each word occurs, int64 [words, classes].
        texts: number of texts of each class, int64 [classes].
    """
    elsewhere = texts_with.sum(axis=1, keepdims=True) - texts_with
    others = texts.sum() - texts
    is_frequent: Flags = texts_with * others >= DISTINCTIVE * elsewhere * texts  # of shares, without division
    return is_frequent & (texts_with >= LEAST_TEXTS)


def best_words(weights: Floats, allowed: Flags, most: int) -> list[Integers]:
    """Return for each class the row indices of its words with the largest weights, the largest first.

    Each class has an int64 array of at most `most` indices into the rows of `weights`.

    Args:
        weights: weight of each word in each class, float64 [words, classes]; ties are in the order of the words.
        allowed: whether each word may be returned for each class, bool [words, classes].
        most: most words of a class.
    """
    classes = range(weights.shape[1])
    order = [np.argsort(-weights[:, each], kind="stable") for each in classes]
    return [rows[allowed[rows, each]][:most] for each, rows in zip(classes, order, strict=True)]
