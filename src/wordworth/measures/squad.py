"""Question answering scored by SQuAD's rules (Rajpurkar et al. 2016, 2018: the official evaluation, v2.0)."""

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
    """Normalise an answer by SQuAD's rules: lower case, no ASCII punctuation, no articles, single spaces.

    >>> normalised("The U.S.'s  (Army)")
    'uss army'
    """
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(gold: Sequence[str], answer: str) -> float:
    """Return 1 if the answer equals any gold answer after normalisation, else 0."""
    return scored(gold, answer)[0]


def overlap_f1(gold: Sequence[str], answer: str) -> float:
    """Return the best F1 between the words of the answer and the words of one of the gold answers, 0 to 1.

    Word order does not count. If the answer and a gold answer both have no words, their F1 is 1; if only one of them
    has no words, it is 0.
    """
    return scored(gold, answer)[1]


def scored(gold: Sequence[str], answer: str, *, empty: bool = True) -> tuple[float, float]:
    """Return (exact match, F1) of an answer, both from 0 to 1.

    Args:
        gold: the right answers; empty, or only answers without a word, if the question has no answer.
        answer: the predicted answer.
        empty: True for SQuAD 2.0, where questions may have no answer. False for SQuAD 1.1, which keeps gold answers
            without words, and whose F1 is 0 if no word overlaps, even if both answers are empty.
    """
    predicted = normalised(answer)
    right = [normalised(gold_answer) for gold_answer in gold]
    if not empty:
        overlaps = [
            _overlap(gold_answer.split(), predicted.split()) if gold_answer and predicted else 0.0
            for gold_answer in right
        ]
        return float(predicted in right), max(overlaps, default=0.0)
    right = [gold_answer for gold_answer in right if gold_answer] or [""]
    return float(predicted in right), max(_overlap(gold_answer.split(), predicted.split()) for gold_answer in right)


def scores_with_threshold(scores: Floats, no_answer: Floats, answerable: Flags, threshold: float) -> Floats:
    """Return each question's score if answers with a no-answer score above a threshold are withheld.

    The result is float64 [questions]. A withheld answer scores 1 if the question has no gold answer, else 0.

    Args:
        scores: float64 [questions], each answer's exact match or F1.
        no_answer: float64 [questions], larger where the system doubts that there is an answer.
        answerable: bool [questions], whether the question has a gold answer.
        threshold: the largest no-answer score at which an answer is given.
    """
    return np.where(no_answer > threshold, floats(~answerable), scores)


def span_exact_match(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the share of questions whose predicted answer equals a gold answer, float64 [draws].

    Args:
        gold: object [n], for each question a tuple of gold answers (texts, or objects with a `text`).
        predicted: n texts, the predicted answers.
        weights: float64 [draws, n], how often each question is in each bootstrap resample (draw).
    """
    right = [exact_match(_texts(answers), str(answer)) for answers, answer in zip(gold, predicted, strict=True)]
    return ratio(weighted(floats(right), weights)[0], weights.sum(axis=1))


def span_f1(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the mean overlap F1 of the predicted answers with the gold answers, float64 [draws].

    Args:
        gold: object [n], for each question a tuple of gold answers (texts, or objects with a `text`).
        predicted: n texts, the predicted answers.
        weights: float64 [draws, n], how often each question is in each bootstrap resample (draw).
    """
    return ratio(weighted(overlaps(gold, predicted), weights)[0], weights.sum(axis=1))


def f1_by_answerability(*, answerable: bool) -> Rule:
    """Return the function that scores the mean overlap F1 over the questions with a gold answer, or over all others.

    SQuAD's official evaluation calls the two scores HasAns and NoAns.

    Args:
        answerable: True for the questions with a gold answer, False for the questions without a gold answer.
    """

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        chosen = np.array([bool(len(answers)) == answerable for answers in gold])
        return ratio(weighted(overlaps(gold, predicted)[chosen], weights[:, chosen])[0], weights[:, chosen].sum(axis=1))

    return rule


def overlaps(gold: Gold, predicted: Predicted) -> Floats:
    """Return the overlap F1 of each predicted answer with its gold answers, float64 [n].

    Args:
        gold: object [n], for each question a tuple of gold answers (texts, or objects with a `text`).
        predicted: n texts, the predicted answers.
    """
    return floats([overlap_f1(_texts(answers), str(answer)) for answers, answer in zip(gold, predicted, strict=True)])


def best_threshold(scores: Floats, no_answer: Floats, answerable: Flags, answered: Flags) -> tuple[float, float]:
    """Return (best mean score in percent, the threshold that gives it) for withholding answers.

    Answers whose no-answer score exceeds the threshold are withheld. Of thresholds with equal mean scores the smallest
    is returned; it is 0 if withholding all answers scores best.

    Args:
        scores: float64 [questions], each answer's exact match or F1.
        no_answer: float64 [questions], larger where the system doubts that there is an answer.
        answerable: bool [questions], whether the question has a gold answer.
        answered: bool [questions], whether the predicted answer has any text; without text, it is right for a question
            without a gold answer.
    """
    order = np.argsort(no_answer, kind="stable")
    gains = np.where(answerable, scores, -answered.astype(np.float64))[order]
    totals = np.concatenate([[0.0], np.cumsum(gains)]) + np.count_nonzero(~answerable)
    num_answered = int(np.argmax(totals))
    return 100 * float(totals[num_answered]) / len(scores), float(
        no_answer[order[num_answered - 1]]
    ) if num_answered else 0.0


def _texts(answers: Iterable[object]) -> list[str]:
    return [str(getattr(answer, "text", answer)) for answer in answers]


def _overlap(gold: list[str], answer: list[str]) -> float:
    if not gold or not answer:
        return float(gold == answer)
    return 2 * (Counter(gold) & Counter(answer)).total() / (len(gold) + len(answer))
