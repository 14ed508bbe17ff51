"""Analogies (a is to b as c is to ?): every word of a table is scored as the answer, a block of questions at a time.

`add` is 3CosAdd (Mikolov et al. 2013), `mul` 3CosMul (Levy and Goldberg 2014, equation 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers

Method = Literal["add", "mul"]
Vectors = NDArray[np.float32]
_AT_ONCE = 1 << 24
"""Cosines in memory at a time: 64 MB per product."""
_SMALLEST = 1e-3


@dataclass(frozen=True, slots=True)
class Questions:
    """Analogy questions, a is to b as c is to ?, with their words as unit vectors.

    Attributes:
        a, b, c: float32 [n, d], the vectors of the three words of each question.
        own_words: int64 [n, 3], the three words of each question, which may not be its answer, as indices into the
            table of possible answers (`candidates`); -1 for a word that the table lacks.
    """

    a: Vectors
    b: Vectors
    c: Vectors
    own_words: Integers

    def __len__(self) -> int:
        return len(self.a)

    def part(self, rows: slice) -> Questions:
        """Return some consecutive analogy questions, given by a slice."""
        return Questions(self.a[rows], self.b[rows], self.c[rows], self.own_words[rows])


def answers(candidates: Vectors, questions: Questions, method: Method = "add") -> Integers:
    """Return the index of the word that best answers each analogy question, int64 [n]; never a word of the question.

    Args:
        candidates: float32 [words, d], the unit vectors of the possible answers.
        questions: n questions, whose own words may not be answers.
        method: how candidates are scored: `add` or `mul`, see `scores`, which this function calls.

    Returns:
        Indices into `candidates`; the first candidate if several have the same score.
    """
    step = max(1, _AT_ONCE // len(candidates))
    parts = [questions.part(slice(start, start + step)) for start in range(0, len(questions), step)]
    return np.concatenate([np.zeros(0, np.int64), *(_block(candidates, part, method) for part in parts)])


def scores(candidates: Vectors, questions: Questions, method: Method) -> NDArray[np.floating]:
    """Return the score of each possible answer to each analogy question, float32 [n, words].

    The question's own words, which may not be its answer, are scored too.

    Args:
        candidates: float32 [words, d], the unit vectors of the possible answers.
        questions: n questions.
        method: `add`: cos(x, b) - cos(x, a) + cos(x, c). `mul`: the product of the cosines with b and c divided by the
            cosine with a, cosines moved to 0 .. 1.
    """
    a, b, c = questions.a, questions.b, questions.c
    if method == "add":
        return np.asarray((b - a + c) @ candidates.T)
    near_a, near_b, near_c = ((1 + side @ candidates.T) / 2 for side in (a, b, c))
    return np.asarray(near_b * near_c / (near_a + _SMALLEST))


def _block(candidates: Vectors, part: Questions, method: Method) -> Integers:
    values = scores(candidates, part, method)
    question, column = np.nonzero(part.own_words >= 0)
    values[question, part.own_words[question, column]] = -np.inf
    best: Integers = values.argmax(axis=1)
    return best
