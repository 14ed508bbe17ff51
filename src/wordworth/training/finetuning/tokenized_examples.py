"""`TokenizedExamples`: the token sequences of examples; all sequences of an example stay together in a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from wordworth.models.batch import Batch, pack
from wordworth.tasks.task import Rows
from wordworth.text.tokens import Tokens

_TOGETHER = 4_096


@dataclass(frozen=True, slots=True)
class TokenizedExamples:
    """The token sequences of the examples of a task.

    An example has one sequence in text classification, and four if it is a question with four options. The sequences of
    an example stay together in a batch.

    Attributes:
        tokens: the sequences of all examples, in the order of the examples.
        offsets: int64 [examples + 1]; example i has the sequences offsets[i] to offsets[i + 1].
        truncated: bool [examples], whether an example was longer than the limit and was cut.
    """

    tokens: Sequence[Tokens]
    offsets: Rows
    truncated: NDArray[np.bool_]

    @classmethod
    def single(cls, tokens: Sequence[Tokens], long: NDArray[np.bool_]) -> TokenizedExamples:
        """Return tokenized examples that have one sequence each.

        Args:
            tokens: the sequence of each example.
            long: bool [examples], whether the example was cut.
        """
        return cls(tuple(tokens), np.arange(len(tokens) + 1), long)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_truncated(self) -> int:
        """The number of examples that were cut."""
        return int(self.truncated.sum())

    @property
    def lengths(self) -> Rows:
        """The number of tokens of each example, in all its sequences together, int64 [examples]."""
        each = np.concatenate([[0], np.cumsum(self.sizes)])
        lengths: Rows = np.diff(each[self.offsets])
        return lengths

    @property
    def sizes(self) -> Rows:
        """The number of tokens of each sequence, int64 [sequences]."""
        return np.array([len(tokens) for tokens in self.tokens], dtype=np.int64)

    @property
    def used_ids(self) -> Rows:
        """The distinct token ids of all sequences, int64 [ids], ascending."""
        seen = np.zeros(0, np.int64)
        for start in range(0, len(self.tokens), _TOGETHER):
            chunk = (self.tokens[index].ids for index in range(start, min(start + _TOGETHER, len(self.tokens))))
            seen = np.union1d(seen, np.concatenate([seen, *chunk]))
        return seen

    def sequences(self, example_indices: Rows) -> list[Tokens]:
        """Return the token sequences of some examples, in the order of the indices.

        Args:
            example_indices: int64 [n], the indices of the examples.
        """
        return [
            self.tokens[index]
            for example in example_indices
            for index in range(self.offsets[example], self.offsets[example + 1])
        ]

    def take(self, example_indices: Rows) -> Self:
        """Return some of the examples, in the order of the indices.

        Args:
            example_indices: int64 [n], the indices of the examples.
        """
        bounds = np.cumsum([0, *np.diff(self.offsets)[example_indices]])
        return replace(
            self,
            tokens=tuple(self.sequences(example_indices)),
            offsets=bounds,
            truncated=self.truncated[example_indices],
        )

    def batch(self, example_indices: Rows) -> Batch:
        """Pack the token sequences of some examples into one batch.

        Args:
            example_indices: int64 [n], the indices of the examples.
        """
        return pack(self.sequences(example_indices))
