"""Features for tagging: the spelling of a word and of its neighbours, as in Ratnaparkhi (1996)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import FeatureHasher

from wordworth.representations.feature_blocks import Features
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext
from wordworth.tasks.task import Examples, Kind
from wordworth.tasks.task_types import ABOUT_WORDS

_COLUMNS = 1 << 18
_AFFIXES = (1, 2, 3, 4)
_NEIGHBOURS = (-2, -1, 1, 2)
_EDGE = "\x00"
_RUNS = re.compile(r"([^o])\1+")


@dataclass(frozen=True, slots=True)
class TagFeatures(Representation):
    """The words, affixes and shapes of a word and its neighbours, hashed to a fixed number of columns.

    Hashing needs no vocabulary, so that the features are computed once for all subsets of the labels.
    """

    name: str = "tfidf"
    title: str = "CRF on words and affixes"
    family = "counts"

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the features are for: only tagging."""
        return ABOUT_WORDS

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return the features of the words of all sentences, one row per word, as a single view."""
        hasher = FeatureHasher(_COLUMNS, input_type="string", alternate_sign=False, dtype=np.float32)
        rows = [word_features for words in examples.words or () for word_features in features(words)]
        none = csr_matrix((0, _COLUMNS), dtype=np.float32)  # the hasher refuses an empty list
        return {"features": csr_matrix(hasher.transform(rows)) if rows else none}

    def cost(self) -> Cost:
        """Return a size of 0: hashing stores nothing, and the weights are the head's."""
        return Cost(disk_bytes=0, parameters=0, num_features=_COLUMNS)


def features(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the features of each word of a sentence, as strings.

    The first feature, "", is the same for every word: its weight is the bias of each tag.

    >>> next(features(["Rome"]))[:4]
    ['', 'rome', '=Rome', '~Xx']
    """
    lower = [word.lower() for word in words]
    shapes = [shape(word) for word in words]
    for index, word in enumerate(words):
        affixes = [f"{size}<{lower[index][:size]}" for size in _AFFIXES] + [
            f"{size}>{lower[index][-size:]}" for size in _AFFIXES
        ]
        around = []
        for step in _NEIGHBOURS:
            inside = 0 <= index + step < len(words)
            around.append(f"{step}:{lower[index + step] if inside else _EDGE}")
            around.append(f"{step}~{shapes[index + step] if inside else _EDGE}")
        yield ["", lower[index], f"={word}", f"~{shapes[index]}", *affixes, *around, f"{shapes[index]}@{index == 0}"]


def shape(word: str) -> str:
    """Return the word's shape: X for upper-case letters, x for lower-case letters, 9 for digits.

    Punctuation stays as it is. A letter of a script without case becomes o. Repeats of a symbol other than o are
    dropped.

    >>> shape("McDonald's-42"), shape("北京市")
    ("XxXx'x-9", 'ooo')
    """
    return _RUNS.sub(r"\1", "".join(_form(char) for char in word))


def _form(char: str) -> str:
    """Return the character's symbol in a shape."""
    if char.isdigit():
        return "9"
    if not char.isalpha():
        return char
    return "X" if char.isupper() else "x" if char.islower() else "o"
