"""Difficulty of inputs by the three measures of Arora, May, Zhang and Re (ACL 2020, section 3); larger is harder.

                 texts (single, pair, regression, many labels)          tags
    complexity   `mean_arc_length` of dependencies                     words of the entity (`Chunks.lengths`)
    ambiguity    `ambiguity`: entropy of the words' mean label shares   `tag_ambiguity`: types the word had in training
    unseen       `unseen`: share of words not seen in training          `rarity`: 1 / times seen, infinite if never

Without a parser, `clause_lengths` takes the place of `mean_arc_length`; reports then say so, as it is not a measure of
Arora et al.

Arora et al. leave some choices open. Here words are compared as passed, so that the caller folds case. A word's label
shares are plain ratios over its occurrences in the training texts, which in a study are the whole training part; words
that do not occur there are skipped. A pair is measured as both texts joined. Regression labels are split at their
median. With many labels per item, each label is a yes/no of its own and the entropies are averaged. Undefined values
are NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.chunk_f1 import stripped
from wordworth.measures.weighted_sums import Floats, Integers, floats

Words = Sequence[Sequence[str]]
_BREAKS = frozenset(',;:.!?()[]{}"—–…،؛؟۔、。，；：！？（）「」『』【】《》।॥')


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Word statistics of the training texts.

    Attributes:
        rows: word -> its index in `counts` and row in `shares`.
        counts: float64 [words], how often each word occurs in the training texts.
        shares: float64 [words, classes], the share of each word's occurrences that are in texts of each class.
        exclusive: whether an item has exactly one label, so that a row of shares sums to 1.
    """

    rows: Mapping[str, int]
    counts: Floats
    shares: Floats
    exclusive: bool


def lexicon(texts: Words, labels: NDArray[np.generic], classes: int = 2) -> Lexicon:
    """Count how often each word occurs in the training texts, in all and under each label.

    Args:
        texts: the words of each of n texts.
        labels: int64 [n] classes; bool [n, classes] for many labels; float64 [n] values, split at their median.
        classes: number of classes, used if `labels` are classes.
    """
    rows = {word: row for row, word in enumerate(dict.fromkeys(word for text in texts for word in text))}
    table = _word_counts(texts, rows)
    counts = floats(table.sum(axis=0)).ravel()
    under = floats(table.T @ _label_columns(labels, classes))
    return Lexicon(rows, counts, under / counts[:, None], labels.ndim == 1)


def ambiguity(texts: Words, known: Lexicon) -> Floats:
    """Return the entropy, in bits, of the mean label distribution of each text's words, float64 [n].

    For the words S of a text the entropy is H((1 / |S|) sum over w in S of p(label | w)). As the mean is taken first, a
    text with one word of each class is as ambiguous as a text of two undecided words. The entropy is NaN if no word of
    the text was seen in training.

    Args:
        texts: the words of each of n texts.
        known: the word statistics of the training texts.
    """
    table = _word_counts(texts, known.rows)
    seen = floats(table.sum(axis=1)).ravel()
    total = floats(table @ known.shares)
    mean = np.divide(total, seen[:, None], out=np.full_like(total, np.nan), where=seen[:, None] > 0)
    return entropy(mean) if known.exclusive else floats(entropy(np.stack([mean, 1 - mean], axis=-1)).mean(axis=-1))


def entropy(shares: Floats) -> Floats:
    """Return the entropy of distributions in bits along the last axis, with 0 log 0 = 0; NaN if a share is NaN.

    Args:
        shares: float64 [..., classes], each distribution's shares, summing to 1.
    """
    logs = np.log2(shares, out=np.zeros_like(shares), where=~(shares <= 0))
    return floats(np.abs((shares * logs).sum(axis=-1)))


def unseen(texts: Words, known: Lexicon) -> Floats:
    """Return the share of each text's words that do not occur in the training texts, float64 [n].

    The share is NaN for a text without words.

    Args:
        texts: the words of each of n texts.
        known: the word statistics of the training texts.
    """
    return floats([np.mean([word not in known.rows for word in text]) if len(text) else np.nan for text in texts])


def frequency(texts: Words, known: Lexicon) -> Floats:
    """Return the mean of log(1 + times seen in training) over each text's words, float64 [n].

    The mean is 0 for a text without words.

    Args:
        texts: the words of each of n texts.
        known: the word statistics of the training texts.
    """
    logs = {word: float(np.log1p(known.counts[row])) for word, row in known.rows.items()}
    return floats([np.mean([logs.get(word, 0.0) for word in text]) if len(text) else 0.0 for text in texts])


def mean_arc_length(sentences: Sequence[Integers]) -> float:
    """Return the mean distance, in words, between a word and its syntactic head; arcs from the root are left out.

    Args:
        sentences: for each sentence int64 [words], the index of each word's head in the sentence; below 0 for the root.

    Returns:
        The mean; 0 for a text whose sentences have one word each, NaN for a text without sentences.
    """
    if not len(sentences):
        return np.nan
    lengths = [np.abs(heads - np.arange(len(heads)))[heads >= 0] for heads in sentences]
    total = sum(map(len, lengths))
    return float(sum(each.sum() for each in lengths) / total) if total else 0.0


def clause_lengths(texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]) -> Floats:
    """Return the mean number of words between punctuation marks in each text, float64 [n]; NaN for texts without words.

    The length stands in for syntactic complexity if texts are not parsed, and works in any script.

    Args:
        texts: the texts as written.
        spans: the character offsets [start, end) of each text's words.
    """
    return floats([_clause_length(text, words) for text, words in zip(texts, spans, strict=True)])


def joined(first: Words, second: Words) -> list[list[str]]:
    """Join the words of the two texts of each pair, to measure a pair as one text.

    Args:
        first: the words of each first text.
        second: the words of each second text.
    """
    return [[*first_words, *second_words] for first_words, second_words in zip(first, second, strict=True)]


def tag_ambiguity(words: Words, train: Words, tags: Sequence[Integers], names: Sequence[str]) -> list[Floats]:
    """Return the number of tag types that each word had in training, float64 [words] per sentence.

    The number is NaN for words that were not seen in training.

    Args:
        words: sentences to measure.
        train: training sentences.
        tags: for each training sentence int64 [words], the tags of its words as indices into `names`; B-PER and I-PER
            are one type, O is a type too.
        names: the names of the tags.
    """
    kinds = [stripped(name)[1] for name in names]
    types: dict[str, set[str]] = {}
    for sentence, sentence_tags in zip(train, tags, strict=True):
        for word, tag in zip(sentence, sentence_tags, strict=True):
            types.setdefault(word, set()).add(kinds[tag])
    return [floats([len(types[word]) if word in types else np.nan for word in sentence]) for sentence in words]


def rarity(words: Words, train: Words) -> list[Floats]:
    """Return 1 / (times that each word was seen in training), float64 [words] for each sentence.

    Rarity is infinite for words that were not seen.

    Args:
        words: the sentences to measure, as words.
        train: the training sentences, as words.
    """
    seen: dict[str, int] = {}
    for sentence in train:
        for word in sentence:
            seen[word] = seen.get(word, 0) + 1
    return [floats([1 / seen[word] if word in seen else np.inf for word in sentence]) for sentence in words]


def _word_counts(texts: Words, rows: Mapping[str, int]) -> csr_matrix:
    """Return how often each known word is in each text, sparse [texts, words].

    Args:
        texts: the words of each text; words that are not in `rows` are skipped.
        rows: known word -> its column in the result.
    """
    known_rows = [[rows[word] for word in text if word in rows] for text in texts]
    ends = np.cumsum([0, *map(len, known_rows)])
    columns = np.array([row for text in known_rows for row in text], dtype=np.int64)
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(known_rows), len(rows)))


def _label_columns(labels: NDArray[np.generic], classes: int) -> Floats:
    """Return 1 for each class that an item has, else 0, float64 [n, classes]; see `lexicon` for the forms of labels."""
    if labels.ndim > 1:
        return labels.astype(np.float64)
    if np.issubdtype(labels.dtype, np.floating):
        values = labels.astype(np.float64)
        return floats(np.eye(2)[(values > np.median(values)).astype(np.int64)])
    return floats(np.eye(classes)[labels.astype(np.int64)])


def _clause_length(text: str, spans: Sequence[tuple[int, int]]) -> float:
    if not spans:
        return np.nan
    gaps = (text[before[1] : after[0]] for before, after in pairwise(spans))
    return len(spans) / (1 + sum(not _BREAKS.isdisjoint(gap) for gap in gaps))
