"""The words by which clusters are named: distinctive of the cluster, ranked by class-based TF-IDF."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from wordworth.measures.weighted_sums import Integers
from wordworth.measures.words.class_tfidf import best_words, class_tfidf, distinctive
from wordworth.retrieval.bm25 import words_of

WORDS = 8
"""Most words of a cluster."""
LONGEST = 30
"""Most characters of a word that names a cluster; longer ones are codes and addresses."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+")
"""Runs of Chinese characters and kana, which are written without spaces between words, and runs of others."""
_FIRST_UNSPACED, _LAST_UNSPACED = "\u3040", "\u9fff"


def naming_words(text: str) -> Iterator[str]:
    """Yield the words of a text that may name a cluster.

    A word may name a cluster if it has a letter and more than one character. A sequence of Chinese characters or kana
    gives each pair of neighbouring characters.

    >>> list(naming_words("It's 24 Bits, in 東京都"))
    ['it', 'bits', 'in', '東京', '京都']
    """
    for word in words_of(text):
        for part in _UNSPACED.findall(word):
            if _FIRST_UNSPACED <= part[0] <= _LAST_UNSPACED:
                yield from map("".join, pairwise(part))
            elif 1 < len(part) <= LONGEST and any(letter.isalpha() for letter in part):
                yield part


def cluster_words(texts: Sequence[str], clusters: Integers, number: int) -> list[list[str]]:
    """Return each cluster's keywords, the most characteristic first; empty for a cluster without distinctive words.

    Args:
        texts: the texts.
        clusters: cluster of each text, from 0, int64 [n].
        number: number of clusters.
    """
    occurrences = [Counter[str]() for _ in range(number)]
    texts_with = [Counter[str]() for _ in range(number)]
    for text, cluster in zip(texts, clusters.tolist(), strict=True):
        counted = Counter(naming_words(text))
        occurrences[cluster].update(counted)
        texts_with[cluster].update(counted.keys())
    words = sorted(set().union(*occurrences))
    if not words:
        return [[] for _ in range(number)]
    sizes = np.bincount(clusters, minlength=number).astype(np.int64)
    allowed = distinctive(_matrix(words, texts_with), sizes)
    best = best_words(class_tfidf(_matrix(words, occurrences)), allowed, WORDS)
    return [[words[row] for row in rows.tolist()] for rows in best]


def _matrix(words: Sequence[str], counts: Sequence[Counter[str]]) -> Integers:
    """Return the count of each word in each cluster, int64 [words, clusters]."""
    return np.array([[counted[word] for counted in counts] for word in words], dtype=np.int64)
