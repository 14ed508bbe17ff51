"""Read one layer of an encoder, without computing the layers above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.models.batch import Batch
from wordworth.models.batched_inference import BatchedReader, Pool
from wordworth.models.hidden_states import pool_into
from wordworth.models.pooling import SentenceHead
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.text.encoding import Tokens
from wordworth.text.windows import Plan, plan_windows
from wordworth.text.word_boundaries import words

_AT_ONCE = 4096
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _StateAt:
    """A `Pool` that takes the state at one position of each sequence."""

    place: int

    def __call__(self, states: Tensor, starts: Tensor) -> Tensor:
        return states[starts[:-1].long() + self.place]

    def over(self, parts: Iterable[tuple[Tensor, Tensor]], length: int) -> Tensor:  # noqa: ARG002 - a Pool
        return torch.cat([states[positions == self.place] for states, positions in parts])


@dataclass(frozen=True, slots=True)
class Layer:
    """Hidden states of one layer.

    Attributes:
        encoder: the encoder.
        number: the layer, 0 for the input layer.
    """

    encoder: TextEncoder
    number: int

    def words(self, texts: Sequence[str]) -> Vectors:
        """float32 [words, d]: the mean over the pieces of each word (`text.word_boundaries.words`), in order.

        A word without pieces (a control character) is all zeros. Equal to `TextEncoder.states` of this layer.
        """
        tokens = self.encoder.tokenizer.encode(texts)
        ends = np.cumsum([0, *(len(words(text)) for text in texts)])
        states = np.zeros((ends[-1], self.encoder.model.width), np.float32)
        rows = [states[start:end] for start, end in pairwise(ends)]
        pool_into(rows, self._pass(), tokens, self._plan(tokens), "mean")
        return states

    def pieces(self, ids: Sequence[int], progress: Progress, *, around: bool) -> Vectors:
        """float32 [pieces, d]: each piece of the vocabulary alone between the special tokens.

        Args:
            ids: ids of the pieces.
            progress: receives the progress.
            around: whether to take the mean over the piece and the special tokens (as model2vec does), or the
                piece's own state.
        """
        pooled: Pool = SentenceHead() if around else _StateAt(self.encoder.tokenizer.prefix)
        rows: list[Vectors] = []
        with progress.step("reading pieces", len(ids)) as step:
            for start in range(0, len(ids), _AT_ONCE):
                tokens = self._alone(ids[start : start + _AT_ONCE])
                rows += self._pass().pooled(tokens, self._plan(tokens), pooled, step.advance)
        return np.stack(rows) if rows else np.zeros((0, self.encoder.model.width), np.float32)

    def _pass(self) -> BatchedReader:
        def read(batch: Batch) -> Tensor:
            return next(islice(self.encoder.last.states(batch), self.number, None)).float()

        return BatchedReader(read, self.encoder.model.device)

    def _plan(self, tokens: Sequence[Tokens]) -> Plan:
        return plan_windows([len(sequence) for sequence in tokens], self.encoder.frame)

    def _alone(self, ids: Sequence[int]) -> list[Tokens]:
        """Put each piece between the special tokens; the sequences share all arrays but their ids."""
        special_tokens, position = self.encoder.tokenizer.ids([""])[0], self.encoder.tokenizer.prefix
        rows = np.insert(np.tile(special_tokens, (len(ids), 1)), position, ids, axis=1)
        length = rows.shape[1]
        shared = np.zeros(length, np.int64), np.zeros((length, 2), np.int32), np.full(length, -1, np.int32)
        return [Tokens(row, *shared) for row in rows]
