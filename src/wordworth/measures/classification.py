"""Classification metrics: one class per item, or any number of labels per item."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wordworth.measures.weighted_sums import (
    Flags,
    Floats,
    Gold,
    Integers,
    Predicted,
    floats,
    indicator,
    ratio,
    stacked,
    weighted,
)


def decided(predicted: Floats) -> Integers:
    """Return the class with the largest score for each item, int64 [n]; the first class if several are equal.

    Args:
        predicted: float64 [n, classes], the scores of the classes.

    Raises:
        ValueError: a score is not a number.
    """
    return np.asarray(np.argmax(classes_of(predicted), axis=1), dtype=np.int64)


def predicted_labels(predicted: Floats) -> Flags:
    """Return whether each class is predicted for each item of multi-label classification, bool [n, classes].

    Every class whose score is above 0 is predicted.

    Args:
        predicted: float64 [n, classes], the scores of the classes.

    Raises:
        ValueError: a score is not a number.
    """
    return np.asarray(classes_of(predicted) > 0, dtype=np.bool_)


def classes_of(predicted: Predicted) -> Floats:
    """Return predicted scores of classes as float64 [n, classes], after checking that no score is NaN.

    Raises:
        ValueError: a score is NaN, as after a training that diverged.
    """
    values = np.asarray(predicted, dtype=np.float64)
    if np.isnan(values).any():
        raise ValueError(f"{int(np.isnan(values).sum())} of {values.size} predicted scores are not numbers")
    return values


def hits(gold: Gold, predicted: Predicted) -> Floats:
    """Return 1 for each item that is predicted rightly, else 0: float64 [n].

    With one class per item, the predicted class is the one with the highest score, or in a tie the first of them. With
    several labels per item, every label with a score above 0 is predicted. Such an item is right only if its predicted
    labels are exactly its gold labels.

    Args:
        gold: int64 [n] classes, or bool [n, classes] labels.
        predicted: float64 [n, classes], the scores of the classes.
    """
    truth = np.asarray(gold)
    if truth.ndim == 2:  # noqa: PLR2004 - two axes: items and labels
        return floats((predicted_labels(classes_of(predicted)) == truth).all(axis=1))
    return floats(decided(classes_of(predicted)) == truth)


def accuracy(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the share of items that are predicted rightly, float64 [draws] (scikit-learn `accuracy_score`).

    With one class per item, the predicted class is the one with the highest score, or in a tie the first of them. With
    several labels per item, every label with a score above 0 is predicted. Such an item is right only if its predicted
    labels are exactly its gold labels.

    Args:
        gold: int64 [n] classes, or bool [n, classes] labels.
        predicted: float64 [n, classes], the scores of the classes.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    return ratio(weighted(hits(gold, predicted), weights)[0], weights.sum(axis=1))


def macro_f1(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the mean F1 of the classes that occur in the gold labels or predictions, float64 [draws].

    With one class per item, the predicted class is the one with the highest score, or in a tie the first of them. With
    several labels per item, every label with a score above 0 is predicted.

    With one class per item the result equals scikit-learn's `f1_score(average="macro")`. With several labels per item,
    a label that is in neither the gold labels nor the predictions is left out of the mean, while scikit-learn counts
    its F1 as 0.

    Args:
        gold: int64 [n] classes, or bool [n, classes] labels.
        predicted: float64 [n, classes], the scores of the classes.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    both, named = _counts(gold, predicted, weights)
    present = (named > 0).sum(axis=0).astype(np.float64)
    return ratio(ratio(2 * both, named).sum(axis=0), present)


def centred(draws: Floats, score: float, most: float = 1.0) -> Floats:
    """Return bootstrap draws of macro F1, float64 [...], moved so that their mean is the score of the whole sample.

    A class with one row is absent from over a third of the resamples. The F1 of a resample is therefore a mean over
    fewer classes than the F1 of the sample, and is biased by how well rare classes score; the spread of the draws is
    right. This is the bias correction of Efron and Tibshirani (1993), section 10.4, applied to every draw.

    Args:
        draws: float64 [...], the scores of resamples.
        score: the score of the whole sample.
        most: the best possible score, to which moved draws are clipped.
    """
    return floats(np.minimum(draws - draws.mean() + score, most))


def micro_f1(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the F1 of the decisions on all classes together, 2 TP / (2 TP + FP + FN), float64 [draws].

    With one class per item, the predicted class is the one with the highest score, or in a tie the first of them. With
    several labels per item, every label with a score above 0 is predicted.

    F1 is 0 if neither the gold labels nor the predictions have a label. With one class per item it is accuracy.
    scikit-learn: `f1_score(average="micro")`.

    Args:
        gold: int64 [n] classes, or bool [n, classes] labels.
        predicted: float64 [n, classes], the scores of the classes.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    both, named = _counts(gold, predicted, weights)
    return ratio(2 * both.sum(axis=0), named.sum(axis=0))


def class_f1(class_index: int) -> Callable[[Gold, Predicted, Floats], Floats]:
    """Return the scoring function of the F1 of one class (scikit-learn `f1_score(labels=[class_index])`).

    F1 is 0 if neither the gold labels nor the predictions have the class. The function takes scores of classes. With
    one class per item, the predicted class is the one with the highest score, or in a tie the first of them. With
    several labels per item, every label with a score above 0 is predicted.

    Args:
        class_index: the index of the class that is scored.
    """

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        both, named = _counts(gold, predicted, weights)
        return ratio(2 * both[class_index], named[class_index])

    return rule


def matthews(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the Matthews correlation coefficient for any number of classes, float64 [draws].

    The predicted class of an item is the one with the highest score, or in a tie the first of them. The coefficient is
    0 if all gold labels, or all predictions, are of one class. The formula is R_K of Gorodkin (2004), as in
    scikit-learn's `matthews_corrcoef`: (c s - sum_k p_k t_k) / sqrt((s^2 - sum_k p_k^2) (s^2 - sum_k t_k^2)). There are
    s items, c of them right, t_k of class k and p_k predicted as class k.

    Args:
        gold: int64 [n], the class of each item.
        predicted: float64 [n, classes], the scores of the classes.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    scores, truth = classes_of(predicted), np.asarray(gold)
    classes, named = scores.shape[1], decided(scores)
    entries = np.stack([truth, classes + named, np.full(len(truth), 2 * classes)], axis=1)
    values = np.stack([*np.ones((2, len(truth))), named == truth], axis=1)
    sums = weighted(indicator(entries, 2 * classes + 1, values), weights)
    t, p, right, items = sums[:classes], sums[classes:-1], sums[-1], weights.sum(axis=1)
    # of one class alone both are 0, but for rounding where weights are fractions
    predicted_spread, true_spread = (np.maximum(0.0, items**2 - (side**2).sum(axis=0)) for side in (p, t))
    return ratio(right * items - (p * t).sum(axis=0), np.sqrt(predicted_spread * true_spread))


def _counts(gold: Gold, predicted: Predicted, weights: Floats) -> tuple[Floats, Floats]:
    """Return (true positives, number of gold labels plus number of predictions), float64 [classes, draws] each.

    Args:
        gold: int64 [n] classes, or bool [n, classes] labels.
        predicted: float64 [n, classes], the scores of the classes.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    scores, truth = classes_of(predicted), np.asarray(gold)
    classes = scores.shape[1]
    if truth.ndim == 2:  # noqa: PLR2004 - two axes: items and labels
        labels = predicted_labels(scores)
        rows = stacked((truth & labels).T.astype(np.float64), truth.T.astype(np.float64) + labels.T)
    else:
        named = decided(scores)
        entries = np.stack([truth, classes + truth, classes + named], axis=1)
        rows = indicator(entries, 2 * classes, np.stack([named == truth, *np.ones((2, len(truth)))], axis=1))
    sums = weighted(rows, weights)
    return sums[:classes], sums[classes:]


def fit_threshold(scores: Floats, gold: Flags) -> float:
    """Return the threshold of highest accuracy, where yes is predicted for scores at or above it.

    The threshold lies halfway between two neighbouring scores, or is minus or plus infinity. If several thresholds have
    the highest accuracy, the lowest is returned.

    Args:
        scores: float64 [n], the score of each item.
        gold: bool [n], true where yes is right.

    Raises:
        ValueError: there are no scores.
    """
    if not len(scores):
        raise ValueError("a threshold needs scores")
    values, index = np.unique(scores, return_inverse=True)
    yes = np.bincount(index, gold, len(values))
    no = np.bincount(index, ~gold, len(values))
    right = np.concatenate([[0], np.cumsum(no)]) + np.concatenate([np.cumsum(yes[::-1])[::-1], [0]])
    edges = np.concatenate([[-np.inf], floats((values[1:] + values[:-1]) / 2), [np.inf]])
    return float(edges[int(right.argmax())])
