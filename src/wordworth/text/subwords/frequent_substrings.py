"""The frequent substrings of words: the pieces that a unigram vocabulary is chosen from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def frequent_substrings(
    words: Sequence[str], counts: Sequence[int], longest: int, least: int
) -> Iterator[tuple[str, float]]:
    """Yield (substring, number of occurrences) of each character, and of each longer frequent substring.

    Only substrings that are frequent themselves are extended by a further character.

    Args:
        words: distinct words.
        counts: the number of occurrences of each word.
        longest: maximal length of a substring, in characters.
        least: minimal number of occurrences of a longer substring.
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
    """Return the first start of each distinct substring, int64 [distinct substrings].

    Args:
        numbers: int64 [n], the number of the substring at each start; equal substrings have equal numbers.
        starts: int64 [n], the index of each substring's first character.
    """
    examples = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    examples[numbers[::-1]] = starts[::-1]
    return examples
