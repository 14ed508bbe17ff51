"""Analogies (a is to b as c is to ?) with all words of a table as candidates, one matrix product a block of questions.

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
    """Analogy questions, a is to b as c is to ?, as unit vectors.

    Attributes:
        a, b, c: float32 [n, d], the words of the questions.
        barred: int64 [n, 3], candidates that may not be the answer (the question's own words); -1 for no candidate.
    """

    a: Vectors
    b: Vectors
    c: Vectors
    barred: Integers

    def __len__(self) -> int:
        return len(self.a)

    def part(self, rows: slice) -> Questions:
        """Select the questions `rows`."""
        return Questions(self.a[rows], self.b[rows], self.c[rows], self.barred[rows])


def answers(candidates: Vectors, questions: Questions, method: Method = "add") -> Integers:
    """Return the best candidate that is not barred for each question, int64 [n]; the first of equals."""
    step = max(1, _AT_ONCE // len(candidates))
    parts = [questions.part(slice(start, start + step)) for start in range(0, len(questions), step)]
    return np.concatenate([np.zeros(0, np.int64), *(_block(candidates, part, method) for part in parts)])


def scores(candidates: Vectors, questions: Questions, method: Method) -> NDArray[np.floating]:
    """Return the score of each candidate, barred or not, as the answer to each question, float32 [n, words].

    Args:
        candidates: float32 [words, d], unit vectors.
        questions: n questions.
        method: `add`: cos(x, b) - cos(x, a) + cos(x, c). `mul`: the product of the cosines with b and c over that with
            a, cosines moved to 0 .. 1.
    """
    a, b, c = questions.a, questions.b, questions.c
    if method == "add":
        return np.asarray((b - a + c) @ candidates.T)
    near_a, near_b, near_c = ((1 + side @ candidates.T) / 2 for side in (a, b, c))
    return np.asarray(near_b * near_c / (near_a + _SMALLEST))


def _block(candidates: Vectors, part: Questions, method: Method) -> Integers:
    values = scores(candidates, part, method)
    question, column = np.nonzero(part.barred >= 0)
    values[question, part.barred[question, column]] = -np.inf
    best: Integers = values.argmax(axis=1)
    return best
