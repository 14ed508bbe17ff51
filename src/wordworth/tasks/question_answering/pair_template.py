"""`PairTemplate`: the special tokens around a pair of texts, to assemble windows from already tokenized texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokenizer_protocol import TokenizerProtocol

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairTemplate:
    """The special tokens that a tokenizer puts around a pair of texts, and the segment id of each part.

    Attributes:
        before, between, after: int64 [tokens] each, ids of special tokens (for BERT: [CLS], [SEP], [SEP]); empty where
            the model has no special token.
        segments: the segment ids of before, the first text, between, the second text and after.
    """

    before: Ids
    between: Ids
    after: Ids
    segments: tuple[int, int, int, int, int]

    @classmethod
    def of(cls, tokenizer: TokenizerProtocol) -> PairTemplate:
        """Return the special tokens that a tokenizer puts around a pair of texts, with their segment ids."""
        (sample,) = tokenizer.encode(["a"], ["a"])
        first, second = (np.flatnonzero(sample.words == which) for which in (0, 1))
        bounds = [0, first[0], first[-1] + 1, second[0], second[-1] + 1]
        parts = [slice(start, end) for start, end in zip(bounds, [*bounds[1:], len(sample)], strict=True)]
        segments = [int(sample.segments[part][0]) if len(sample.ids[part]) else 0 for part in parts]
        before, _, between, _, after = (sample.ids[part] for part in parts)
        return cls(before, between, after, (segments[0], segments[1], segments[2], segments[3], segments[4]))

    @property
    def num_special(self) -> int:
        """The number of special tokens before, between and after the two texts."""
        return len(self.before) + len(self.between) + len(self.after)

    def around(self, first: Ids, second: Ids) -> tuple[Ids, Ids]:
        """Return (ids, segments) of the sequence of two texts with the special tokens around them, int64 [tokens] each.

        Args:
            first: int64 [tokens], the token ids of the first text.
            second: int64 [tokens], the token ids of the second text.
        """
        parts = (self.before, first, self.between, second, self.after)
        return np.concatenate(parts), np.repeat(np.array(self.segments), [len(part) for part in parts])
