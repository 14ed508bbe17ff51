"""Measure how far the test part differs from the training part in class shares and vocabulary."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.labels import Integers, memberships, occurrences
from wordworth.tasks.task import Rows, Task

Floats = NDArray[np.float64]
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+")
_HELD_OUT = 0.25


@dataclass(frozen=True, slots=True)
class Differences:
    """How much the test part of a data set differs from the training part, and how probable this is by chance alone.

    Attributes:
        class_distance: total variation distance of the two parts' class shares, 0 to 1; in tagging a tag counts once
            for each sentence that holds it; for regression it is the Kolmogorov-Smirnov distance of the values.
        class_p: probability of at least this class distance if both parts came from one source (chi-squared test over
            rows; for regression Kolmogorov-Smirnov test).
        changed: share of the test labels (in tagging: of the tags of test words) that would have to change to give the
            test part the class shares of the training part; for regression `class_distance`.
        furthest: (class, training share, test share) of the class whose share (in tagging: of the words) differs most
            between the parts; None for regression.
        unseen: share of the test part's words that do not occur in the training part. Some training texts are held out
            for `unseen_expected` and do not count as the training part here.
        unseen_expected: the same share for the words of the held-out training texts: what `unseen` would be if both
            parts came from one source. No held-out text has a duplicate among the other training texts.
        unseen_p: probability of at least this difference between `unseen` and `unseen_expected` if both parts came from
            one source; texts, not words, count as independent (normal approximation).
    """

    class_distance: float
    class_p: float
    changed: float
    furthest: tuple[str, float, float] | None
    unseen: float
    unseen_expected: float
    unseen_p: float


def part_differences(task: Task, seed: int = 0) -> Differences:
    """Return how the test part of a task differs from its training part in class shares and vocabulary.

    Args:
        task: the task, split into a training and a test part.
        seed: decides which training texts are held out, to measure how many of their words the other training texts
            lack by chance.
    """
    return Differences(*_classes(task), *_vocabulary(task, seeds.child(seed, "held out words")))


def vocabulary(task: Task, rows: Rows) -> list[list[str]]:
    """Return the words of each row's text in lower case; each ideograph or kana counts as a word.

    Args:
        task: the task, whose examples hold the texts.
        rows: int64 [n], indices of rows.
    """
    first, second = task.examples.first, task.examples.second
    return [_WORD.findall((first[row] + (f" {second[row]}" if second else "")).casefold()) for row in rows]


def _classes(task: Task) -> tuple[float, float, float, tuple[str, float, float] | None]:
    from scipy import stats

    if task.type.numeric:
        ends = stats.ks_2samp(np.asarray(task.gold(task.train)), np.asarray(task.gold(task.test)))
        return float(ends.statistic), float(ends.pvalue), float(ends.statistic), None
    counts = _counts(task, memberships(task.labels))
    seen = counts.sum(axis=0) > 0
    if min(counts.sum(axis=1)) == 0 or seen.sum() == 1:
        return 0.0, 1.0, 0.0, None
    p = float(stats.chi2_contingency(counts[:, seen]).pvalue)
    train, test = shares = _shares(_counts(task, occurrences(task.labels)))
    worst = int(np.argmax(np.abs(train - test)))
    furthest = (task.classes[worst], float(train[worst]), float(test[worst]))
    return _distance(_shares(counts)), p, _distance(shares), furthest


def _counts(task: Task, labels: tuple[Integers, Integers]) -> Integers:
    """Return how often each class occurs in the training part and in the test part, int64 [2, classes].

    Args:
        task: the task.
        labels: (rows, classes), the indices of each pair that is counted, as `memberships` or `occurrences` returns.
    """
    rows, classes = labels
    return np.stack([np.bincount(classes[np.isin(rows, part)], minlength=len(task.classes)) for part in _parts(task)])


def _shares(counts: Integers) -> Floats:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _distance(shares: Floats) -> float:
    """Return the total variation distance between the class shares of two parts, float64 [2, classes]."""
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _parts(task: Task) -> tuple[Rows, Rows]:
    return task.train, task.test


def _vocabulary(task: Task, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the attributes `unseen`, `unseen_expected` and `unseen_p` of `Differences`."""
    held_out, remaining = _held_out(task, rng)
    known = {word for text in vocabulary(task, remaining) for word in text}
    (share, error), (expected, held_error) = (_unseen(vocabulary(task, rows), known) for rows in (task.test, held_out))
    spread = math.hypot(error, held_error)
    return share, expected, math.erfc(abs(share - expected) / spread / math.sqrt(2)) if spread else 1.0


def _held_out(task: Task, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Return (held-out training rows, remaining training rows); equal texts are all in one of the two.

    About as many rows are held out as there are test rows, but at most a quarter of the training rows.
    """
    group = groups(plain(task.examples.take(task.train)))
    order = rng.permutation(group.max() + 1)
    wanted = max(1, round(min(len(task.test), _HELD_OUT * len(group)) * len(order) / len(group)))
    apart = np.isin(group, order[:wanted])
    return task.train[apart], task.train[~apart]


def _unseen(texts: list[list[str]], known: set[str]) -> tuple[float, float]:
    """Return (share of all words that are not known, its standard error).

    The standard error is that of a ratio estimate in which texts, not words, are independent.

    Args:
        texts: the words of each text.
        known: the known words.
    """
    lengths = np.array([len(text) for text in texts], dtype=np.float64)
    new = np.array([sum(word not in known for word in text) for text in texts], dtype=np.float64)
    total = float(lengths.sum())
    if not total:
        return 0.0, 0.0
    share = float(new.sum() / total)
    return share, float(np.sqrt(((new - share * lengths) ** 2).sum()) / total)
