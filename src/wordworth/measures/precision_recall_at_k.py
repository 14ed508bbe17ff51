"""Precision, recall and F1 of the k labels with the highest scores, the measures of patent and topic labelling.

Sums are over items (micro averages), as in DeepPatent (Li et al. 2018, doi 10.1007/s11192-018-2905-5) and PatentBERT
(Lee and Hsiang 2019, arXiv 1906.02124). Where items have fewer than k labels, no predictions reach a precision of 1;
where items have more than k labels, no predictions reach a recall of 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wordworth.measures.classification import classes_of
from wordworth.measures.weighted_sums import Floats, Gold, Predicted, Rule, floats, ratio, weighted

AT = "@"
"""The sign between the beginning of the name of a metric at k and the number k: `precision@3`."""
_MOST_NUMBERS = 5


def hits_at(gold: Gold, predicted: Predicted, k: int) -> Floats:
    """Return how many of the k labels with the highest scores are right for each item, float64 [n].

    If equal scores make the k labels ambiguous, the result is the expected number of right labels in a random order.

    Args:
        gold: bool [n, labels], the true labels; or int64 [n], the one true class of each item.
        predicted: float64 [n, labels], the score of each label.
        k: the number of labels, from 1 to all.
    """
    scores = classes_of(predicted)
    truth = flags_of(gold, scores.shape[1])
    last = np.partition(scores, -k, axis=1)[:, [-k]]
    above, level = scores > last, scores == last
    share = (k - above.sum(axis=1)) / level.sum(axis=1)
    return floats((truth & above).sum(axis=1) + share * (truth & level).sum(axis=1))


def flags_of(gold: Gold, num_labels: int) -> np.ndarray:
    """Return which labels are true for each item, bool [n, labels].

    Args:
        gold: bool [n, labels], the true labels; or int64 [n], the one true class of each item.
        num_labels: number of labels.
    """
    truth = np.asarray(gold)
    return truth if truth.ndim > 1 else truth[:, None] == np.arange(num_labels)


def precision(k: int) -> Rule:
    """Return the scoring function of precision at k: the share of each item's k best-scored labels that are true."""
    return _rule(k, lambda hits, _, predicted: ratio(hits, predicted))


def recall(k: int) -> Rule:
    """Return the scoring function of recall at k: the share of true labels that are among each item's k best-scored."""
    return _rule(k, lambda hits, labels, _: ratio(hits, labels))


def f1(k: int) -> Rule:
    """Return the scoring function of F1 at k, the harmonic mean of precision at k and recall at k."""
    return _rule(k, lambda hits, labels, predicted: ratio(2 * hits, labels + predicted))


RULES: dict[str, tuple[str, Callable[[int], Rule]]] = {
    "precision": ("precision", precision),
    "recall": ("recall", recall),
    "f1": ("F1", f1),
}
"""The beginning of a metric's name -> its title, and the function that returns the scoring function for a given k."""


def is_metric_at_k(name: str) -> bool:
    """Return whether `name` is the name of a metric at k, such as `recall@2`."""
    measure, at, _ = name.partition(AT)
    return bool(at) and measure in RULES


def metrics_to_report(name: str) -> list[str]:
    """Return the names of the metrics to report with a metric at k: precision, recall and F1, at 1 to k.

    If k is above 5, only 1 to 5 and k are included.

    Args:
        name: name of a metric; for a metric of another kind the list is empty.

    >>> metrics_to_report("recall@2"), metrics_to_report("micro_f1")
    (['precision@1', 'recall@1', 'f1@1', 'precision@2', 'recall@2', 'f1@2'], [])
    """
    if not is_metric_at_k(name):
        return []
    number = name.partition(AT)[2]
    sizes = dict.fromkeys((*range(1, min(int(number), _MOST_NUMBERS) + 1), int(number)))
    return [f"{measure}{AT}{size}" for size in sizes for measure in RULES]


def _rule(k: int, score: Callable[[Floats, Floats, Floats], Floats]) -> Rule:
    """Return the scoring function that computes `score` from three sums over the items of each resample.

    Args:
        k: the number of labels predicted for each item.
        score: takes the number of right labels, of gold labels and of predicted labels, float64 [draws] each.
    """

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        labels = floats(flags_of(gold, np.shape(predicted)[1]).sum(axis=1))
        sums = weighted(np.stack([hits_at(gold, predicted, k), labels]), weights)
        return score(sums[0], sums[1], k * weights.sum(axis=1))

    return rule
