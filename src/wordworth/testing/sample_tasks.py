"""Small made-up tasks of every kind, for checks: learnable, of ordinary words, the same on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks.task import Examples, Kind, Labels, Task

_WORDS = {
    "good": ("good", "great", "lovely", "superb", "delightful"),
    "bad": ("bad", "awful", "dreadful", "poor", "boring"),
    "thing": ("film", "book", "dinner", "hotel", "song", "phone"),
    "rest": ("the", "a", "was", "it", "and", "quite", "really", "there", "we", "in"),
}
_METRICS = {"single": "accuracy", "pair": "accuracy", "regression": "pearson", "multilabel": "micro_f1"}
_SHARE = 3


def sample_task(kind: Kind, size: int = 90, seed: int = 0) -> Task:
    """A task of that kind: feeling words decide the label, two thirds to learn from, a third to test on."""
    rng = np.random.default_rng(seed)
    feelings = rng.integers(0, 3, (size, 2))  # how many good and bad words
    firsts = tuple(_sentence(rng, good, bad) for good, bad in feelings)
    seconds = tuple(_sentence(rng, good, bad) for good, bad in np.roll(feelings, 1, axis=0))
    pairs = kind == "pair"
    examples = Examples(firsts, seconds if pairs else None, tuple(map(_split, firsts)) if kind == "tags" else None)
    classes, labels = _labels(kind, feelings, firsts)
    rows = np.arange(size)
    test = rows % _SHARE == 0
    return Task("sample", kind, examples, labels, classes, rows[~test], rows[test], _METRICS.get(kind, "entity_f1"))


def _sentence(rng: np.random.Generator, good: int, bad: int) -> str:
    parts = [("good", good), ("bad", bad), ("thing", 1), ("rest", 5)]
    words = [str(rng.choice(_WORDS[part])) for part, count in parts for _ in range(count)]
    return " ".join(rng.permutation(words))


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _labels(kind: Kind, feelings: NDArray[np.int64], texts: tuple[str, ...]) -> tuple[tuple[str, ...], Labels]:
    good, bad = feelings.T
    if kind == "regression":
        return (), (good - bad).astype(np.float64)
    if kind == "multilabel":
        return ("praise", "blame"), feelings > 0
    if kind == "tags":
        things = set(_WORDS["thing"])
        return ("B-thing", "O"), tuple(
            np.array([word not in things for word in text.split()], np.int64) for text in texts
        )
    if kind == "pair":
        return ("different", "same"), (np.sign(good - bad) == np.roll(np.sign(good - bad), 1)).astype(np.int64)
    return ("bad", "good", "mixed"), np.where(good > bad, 1, np.where(good < bad, 0, 2)).astype(np.int64)
