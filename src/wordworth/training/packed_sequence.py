"""Words of sentences packed by time, as recurrent layers and the CRF read them without padding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PackedWords:
    """The words of sentences in the order of time, the longest sentence first.

    Attributes:
        rows: int64 [words], each word's row among the words of all sentences end to end.
        batch_sizes: how many sentences have a first word, a second, and so on; their sum is `words`.
    """

    rows: Numbers
    batch_sizes: tuple[int, ...]

    @classmethod
    def of(cls, lengths: Numbers, sentences: Numbers) -> PackedWords:
        """Pack `sentences` of a corpus whose sentences have `lengths`; sentences without words take no part.

        >>> PackedWords.of(np.array([1, 3, 2]), np.array([0, 1, 2]))
        PackedWords(rows=array([1, 4, 0, 2, 5, 3]), batch_sizes=(3, 2, 1))
        """
        order = sentences[np.argsort(-lengths[sentences], kind="stable")]
        starts, longest = (np.cumsum(lengths) - lengths)[order], lengths[order].max(initial=0)
        batch_sizes = tuple(int(count) for count in (lengths[order] > np.arange(longest)[:, None]).sum(1))
        rows = [starts[:count] + time for time, count in enumerate(batch_sizes)]
        return cls(np.concatenate([np.zeros(0, np.int64), *rows]), batch_sizes)
