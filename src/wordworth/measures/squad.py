"""Spans of text as answers, scored by SQuAD's rules (Rajpurkar et al. 2016, 2018: the official evaluation, v2.0)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Gold, Predicted, Rule, floats, ratio, weighted

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(answer: str) -> str:
    """The answer in lower case, without ASCII punctuation, articles or spare space.

    >>> normalised("The U.S.'s  (Army)")
    'uss army'
    """
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(gold: Sequence[str], answer: str) -> float:
    """1 if the answer equals any gold answer after normalisation, else 0."""
    return scored(gold, answer)[0]


def overlap_f1(gold: Sequence[str], answer: str) -> float:
    """The best F1 of the answer's bag of words with a gold answer's; where one has none, 1 only if both have none."""
    return scored(gold, answer)[1]


def scored(gold: Sequence[str], answer: str, *, empty: bool = True) -> tuple[float, float]:
    """Exact match and F1 of an answer.

    Args:
        gold: the answers that are right; none, or none with a word, where the question has no answer.
        answer: the one given.
        empty: whether questions can have no answer (version 2.0). Version 1.1 keeps gold answers without words, and
            gives no F1 where nothing overlaps, though both be empty.
    """
    said = normalised(answer)
    right = [normalised(one) for one in gold]
    if not empty:
        overlaps = [_overlap(one.split(), said.split()) if one and said else 0.0 for one in right]
        return float(said in right), max(overlaps, default=0.0)
    right = [one for one in right if one] or [""]
    return float(said in right), max(_overlap(one.split(), said.split()) for one in right)


def withheld(scores: Floats, no_answer: Floats, answerable: Flags, threshold: float) -> Floats:
    """float64 [questions]: the scores once answers are withheld whose no-answer score exceeds the threshold."""
    return np.where(no_answer > threshold, floats(~answerable), scores)


def span_exact_match(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Share of questions answered exactly.

    Gold is object [n], each a tuple of the answers (texts, or what has a `text`), predictions n texts.
    """
    right = [exact_match(_texts(one), str(said)) for one, said in zip(gold, predicted, strict=True)]
    return ratio(weighted(floats(right), weights)[0], weights.sum(axis=1))


def span_f1(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Mean overlap F1 of the answers; arguments as of `span_exact_match`."""
    return ratio(weighted(overlaps(gold, predicted), weights)[0], weights.sum(axis=1))


def part_f1(*, answerable: bool) -> Rule:
    """`span_f1` of the questions that have an answer, or of those that have none (HasAns and NoAns of version 2.0)."""

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        kept = np.array([bool(len(one)) == answerable for one in gold])
        return ratio(weighted(overlaps(gold, predicted)[kept], weights[:, kept])[0], weights[:, kept].sum(axis=1))

    return rule


def overlaps(gold: Gold, predicted: Predicted) -> Floats:
    """float64 [n]: the F1 of each answer; arguments as of `span_exact_match`."""
    return floats([overlap_f1(_texts(one), str(said)) for one, said in zip(gold, predicted, strict=True)])


def best_threshold(scores: Floats, no_answer: Floats, answerable: Flags, answered: Flags) -> tuple[float, float]:
    """The mean score in percent, and the no-answer threshold that gives it.

    Answers whose no-answer score exceeds the threshold are withheld. It starts at 0, with all withheld; a tie keeps the
    smaller threshold.

    Args:
        scores: float64 [questions], each answer's exact match or F1.
        no_answer: float64 [questions], larger where the system doubts that there is an answer.
        answerable: bool [questions], whether gold has one.
        answered: bool [questions], whether the answer given has any text.
    """
    order = np.argsort(no_answer, kind="stable")
    gains = np.where(answerable, scores, -answered.astype(np.float64))[order]
    totals = np.concatenate([[0.0], np.cumsum(gains)]) + np.count_nonzero(~answerable)
    best = int(np.argmax(totals))
    return 100 * float(totals[best]) / len(scores), float(no_answer[order[best - 1]]) if best else 0.0


def _texts(answers: Iterable[object]) -> list[str]:
    return [str(getattr(one, "text", one)) for one in answers]


def _overlap(gold: list[str], answer: list[str]) -> float:
    if not gold or not answer:
        return float(gold == answer)
    return 2 * (Counter(gold) & Counter(answer)).total() / (len(gold) + len(answer))
