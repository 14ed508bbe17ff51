"""The frequent substrings of words: the pieces that a unigram vocabulary is chosen from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def frequent_substrings(
    words: Sequence[str], counts: Sequence[int], longest: int, least: int
) -> Iterator[tuple[str, float]]:
    """Yield each character, and each longer substring that is frequent, with the number of its occurrences.

    A substring is counted by extending frequent ones by a character, as only these can be part of it.

    Args:
        words: distinct words.
        counts: how often each of them occurs.
        longest: longest substring, in characters.
        least: fewest occurrences.
    """
    text = "".join(words)
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    weights, ends = np.repeat(np.array(counts, dtype=np.float64), lengths), np.repeat(np.cumsum(lengths), lengths)
    alphabet, characters = np.unique(np.frombuffer(text.encode("utf-32-le"), np.uint32), return_inverse=True)
    starts, numbers = np.arange(len(text)), characters
    for length in range(1, longest + 1):
        totals, examples = np.bincount(numbers, weights[starts]), _one_of_each(numbers, starts)
        frequent = totals >= (least if length > 1 else 0)
        for start, total in zip(examples[frequent].tolist(), totals[frequent].tolist(), strict=True):
            yield text[start : start + length], total
        inside = frequent[numbers] & (starts + length < ends[starts])
        starts = starts[inside]
        if not len(starts):
            return
        longer = numbers[inside] * len(alphabet) + characters[starts + length]
        numbers = np.unique(longer, return_inverse=True)[1]


def _one_of_each(numbers: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first start of each number's substring."""
    examples = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    examples[numbers[::-1]] = starts[::-1]
    return examples
