"""Small made-up tasks of every kind, for checks: learnable, of ordinary words, equal on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks.task import Answer, Examples, Kind, Labels, Task, span_labels

_WORDS = {
    "good": ("good", "great", "lovely", "superb", "delightful"),
    "bad": ("bad", "awful", "dreadful", "poor", "boring"),
    "thing": ("film", "book", "dinner", "hotel", "song", "phone"),
    "rest": ("the", "a", "was", "it", "and", "quite", "really", "there", "we", "in"),
}
_METRICS = {
    "single": "accuracy",
    "pair": "accuracy",
    "choice": "accuracy",
    "regression": "pearson",
    "multilabel": "micro_f1",
    "span": "span_f1",
}
_SHARE = 3
_OPTIONS = ("we were sorry to be there.", "we were happy to be there.", "we did not mind.")


def sample_task(kind: Kind, size: int = 90, seed: int = 0) -> Task:
    """Make a task of this kind: sentiment words decide the label; two thirds are for training, a third for testing."""
    rng = np.random.default_rng(seed)
    feelings = rng.integers(0, 3, (size, 2))  # how many good and bad words
    firsts = tuple(_sentence(rng, good, bad) for good, bad in feelings)
    seconds = tuple(_sentence(rng, good, bad) for good, bad in np.roll(feelings, 1, axis=0))
    examples = _examples(kind, firsts, seconds)
    classes, labels = _labels(kind, feelings, firsts)
    rows = np.arange(size)
    test = rows % _SHARE == 0
    return Task("sample", kind, examples, labels, classes, rows[~test], rows[test], _METRICS.get(kind, "entity_f1"))


def _examples(kind: Kind, firsts: tuple[str, ...], seconds: tuple[str, ...]) -> Examples:
    match kind:
        case "pair":
            return Examples(firsts, seconds)
        case "tags":
            return Examples(firsts, words=tuple(map(_split, firsts)))
        case "choice":
            return Examples(firsts, options=(_OPTIONS,) * len(firsts))
        case "span":
            ids = tuple(f"q{number}" for number in range(len(firsts)))
            return Examples(("what was it?",) * len(firsts), firsts, ids=ids)
        case _:
            return Examples(firsts)


def _sentence(rng: np.random.Generator, good: int, bad: int) -> str:
    parts = [("good", good), ("bad", bad), ("thing", 1), ("rest", 5)]
    words = [str(rng.choice(_WORDS[part])) for part, count in parts for _ in range(count)]
    return " ".join(rng.permutation(words))


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _thing(text: str) -> Answer:
    thing = next(word for word in text.split() if word in _WORDS["thing"])
    return Answer(thing, f" {text} ".index(f" {thing} "))


def _labels(kind: Kind, feelings: NDArray[np.int64], texts: tuple[str, ...]) -> tuple[tuple[str, ...], Labels]:
    good, bad = feelings.T
    feeling = np.where(good > bad, 1, np.where(good < bad, 0, 2)).astype(np.int64)
    classes: tuple[str, ...] = ()
    labels: Labels = feeling
    match kind:
        case "regression":
            labels = (good - bad).astype(np.float64)
        case "multilabel":
            classes, labels = ("praise", "blame"), feelings > 0
        case "tags":
            classes, labels = ("B-thing", "O"), tuple(map(_tags, texts))
        case "pair":
            signs = np.sign(good - bad)
            classes, labels = ("different", "same"), (signs == np.roll(signs, 1)).astype(np.int64)
        case "span":
            labels = span_labels([[_thing(text)] for text in texts])
        case "single":
            classes = ("bad", "good", "mixed")
        case "choice":
            pass
    return classes, labels


def _tags(text: str) -> NDArray[np.int64]:
    return np.array([word not in _WORDS["thing"] for word in text.split()], np.int64)
