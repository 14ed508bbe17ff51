"""`sample_task`: small made-up tasks of every kind, for the checks; they are learnable, and equal on every machine."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks import task_types
from wordworth.tasks.task import Answer, Examples, Labels, Task, span_labels
from wordworth.tasks.task_types.classification import CLASSIFICATION, PAIR_CLASSIFICATION
from wordworth.tasks.task_types.multilabel import MULTILABEL
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING
from wordworth.tasks.task_types.regression import REGRESSION
from wordworth.tasks.task_types.tagging import TAGGING

Texts = tuple[str, ...]
Made = tuple[Examples, tuple[str, ...], Labels]
"""The parts of a made-up task: its examples, the names of its classes, and its labels."""

_WORDS = {
    "good": ("good", "great", "lovely", "superb", "delightful"),
    "bad": ("bad", "awful", "dreadful", "poor", "boring"),
    "thing": ("film", "book", "dinner", "hotel", "song", "phone"),
    "rest": ("the", "a", "was", "it", "and", "quite", "really", "there", "we", "in"),
}
_SHARE = 3
_OPTIONS = ("we were sorry to be there.", "we were happy to be there.", "we did not mind.")


def sample_task(kind: str, size: int = 90, seed: int = 0) -> Task:
    """Return a made-up task of a kind, in which sentiment words decide the label.

    Args:
        kind: kind of task, such as `classification`.
        size: number of examples; two thirds are for training, a third for testing.
        seed: seed of the examples.
    """
    rng = np.random.default_rng(seed)
    feelings = rng.integers(0, 3, (size, 2))  # how many good and bad words
    firsts = tuple(_sentence(rng, good, bad) for good, bad in feelings)
    seconds = tuple(_sentence(rng, good, bad) for good, bad in np.roll(feelings, 1, axis=0))
    task_type = task_types.get(kind)
    make = _MAKERS[next(name for name in task_type.learned_as if name in _MAKERS)]
    examples, classes, labels = make(feelings, firsts, seconds)
    rows = np.arange(size)
    test = rows % _SHARE == 0
    metric = "pearson" if task_type is REGRESSION else task_type.metrics[0]
    return Task("sample", task_type.name, examples, labels, classes, rows[~test], rows[test], metric)


def _sentence(rng: np.random.Generator, good: int, bad: int) -> str:
    parts = [("good", good), ("bad", bad), ("thing", 1), ("rest", 5)]
    words = [str(rng.choice(_WORDS[part])) for part, count in parts for _ in range(count)]
    return " ".join(rng.permutation(words))


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _thing(text: str) -> Answer:
    thing = next(word for word in text.split() if word in _WORDS["thing"])
    return Answer(thing, f" {text} ".index(f" {thing} "))


def _one_text(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:  # noqa: ARG001 - a maker
    return Examples(firsts), ("bad", "good", "mixed"), _feeling(feelings)


def _pairs(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:
    signs = np.sign(feelings[:, 0] - feelings[:, 1])
    labels = (signs == np.roll(signs, 1)).astype(np.int64)
    return Examples(firsts, seconds), ("different", "same"), labels


def _values(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:  # noqa: ARG001 - a maker
    return Examples(firsts), (), (feelings[:, 0] - feelings[:, 1]).astype(np.float64)


def _several(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:  # noqa: ARG001 - a maker
    return Examples(firsts), ("praise", "blame"), feelings > 0


def _tagged(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:  # noqa: ARG001 - a maker
    return Examples(firsts, words=tuple(map(_split, firsts))), ("B-thing", "O"), tuple(map(_tags, firsts))


def _choices(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:  # noqa: ARG001 - a maker
    return Examples(firsts, options=(_OPTIONS,) * len(firsts)), (), _feeling(feelings)


def _questions(feelings: NDArray[np.int64], firsts: Texts, seconds: Texts) -> Made:  # noqa: ARG001 - a maker
    ids = tuple(f"q{number}" for number in range(len(firsts)))
    labels = span_labels([[_thing(text)] for text in firsts])
    return Examples(("what was it?",) * len(firsts), firsts, ids=ids), (), labels


def _feeling(feelings: NDArray[np.int64]) -> NDArray[np.int64]:
    good, bad = feelings.T
    return np.where(good > bad, 1, np.where(good < bad, 0, 2)).astype(np.int64)


def _tags(text: str) -> NDArray[np.int64]:
    return np.array([word not in _WORDS["thing"] for word in text.split()], np.int64)


_MAKERS: dict[str, Callable[[NDArray[np.int64], Texts, Texts], Made]] = {
    CLASSIFICATION.name: _one_text,
    PAIR_CLASSIFICATION.name: _pairs,
    REGRESSION.name: _values,
    MULTILABEL.name: _several,
    TAGGING.name: _tagged,
    MULTIPLE_CHOICE.name: _choices,
    QUESTION_ANSWERING.name: _questions,
}
