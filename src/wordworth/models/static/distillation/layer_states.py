"""`Layer`: the layer of an encoder from which a table is distilled.

The layer has a state for each word in a text, and for each piece of the vocabulary that is encoded alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.models.batch import Batch
from wordworth.models.batched_inference import BatchedReader, Pool
from wordworth.models.pooling import SentenceHead
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.text.tokens import Tokens
from wordworth.text.windows import plan_windows

_AT_ONCE = 4096
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _StateAt:
    """A `Pool` that returns the state at one position of each sequence."""

    position: int

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        return states[starts[:-1].long() + self.position]

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:  # noqa: ARG002 - a Pool
        return torch.cat([states[positions == self.position] for states, positions in parts])


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of an encoder whose hidden states are distilled.

    Attributes:
        encoder: the encoder.
        number: number of the layer; 0 is the input layer.
    """

    encoder: TextEncoder
    number: int

    def words(self, texts: Sequence[str]) -> Vectors:
        """Return a state for each word of the texts, the mean over the states of its pieces, float32 [words, d]."""
        return self.encoder.states(texts, self.number).layer(self.number)

    def pieces(self, ids: Sequence[int], progress: Progress, *, around: bool) -> Vectors:
        """Encode each piece alone between the special tokens; return the states, float32 [pieces, d].

        Args:
            ids: ids of the pieces.
            progress: receives the progress.
            around: true returns the mean over the states of the piece and of the special tokens, as model2vec does;
                false returns the piece's own state.
        """
        pooled: Pool = SentenceHead() if around else _StateAt(self.encoder.tokenizer.prefix)

        def read(batch: Batch) -> Tensor:
            return next(islice(self.encoder.state_reader.states(batch), self.number, None)).float()

        reader, rows = BatchedReader(read, self.encoder.model.device), list[Vectors]()
        with progress.step("reading pieces", len(ids)) as step:
            for start in range(0, len(ids), _AT_ONCE):
                tokens = self._alone(ids[start : start + _AT_ONCE])
                plan = plan_windows([len(sequence) for sequence in tokens], self.encoder.window)
                rows += reader.pooled(tokens, plan, pooled, step.advance)
        return np.stack(rows) if rows else np.zeros((0, self.encoder.model.width), np.float32)

    def _alone(self, ids: Sequence[int]) -> list[Tokens]:
        """Return a sequence for each piece, between special tokens; the sequences share all arrays but their ids."""
        special_tokens, position = self.encoder.tokenizer.ids([""])[0], self.encoder.tokenizer.prefix
        rows = np.insert(np.tile(special_tokens, (len(ids), 1)), position, ids, axis=1)
        length = rows.shape[1]
        shared = np.zeros(length, np.int64), np.zeros((length, 2), np.int32), np.full(length, -1, np.int32)
        return [Tokens(row, *shared) for row in rows]
