"""Rows of texts as an encoder reads them: each different text tokenized once, rows as numbers of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.models.text_encoder import TextEncoder
from wordworth.tasks.reading.sentence_rows import SentenceRows
from wordworth.text.encoding import Tokens, ids_only
from wordworth.text.truncation import truncate_texts
from wordworth.text.windows import WindowSpec
from wordworth.training.batch_sampler import BatchSampler
from wordworth.training.loop import BatchSource
from wordworth.training.sentences.losses.base import ComparedTexts

Rows = NDArray[np.int64]


class TrainingTexts(Protocol):
    """Texts that a training compares in rows: those of a file (`SentenceExamples`), or pairs drawn by label."""

    @property
    def tokens(self) -> Sequence[Tokens]:
        """The tokens of each text."""

    @property
    def used_ids(self) -> Rows:
        """The token ids that occur, ascending."""

    def batches(self, size: int, seed: int) -> BatchSource[Rows]:
        """Return endless batches of `size` numbers of rows."""

    def compared(self, rows: Rows, device: torch.device) -> tuple[Rows, ComparedTexts]:
        """Return the numbers of the different texts of some rows, and the rows as places among them."""


@dataclass(frozen=True, slots=True)
class SentenceExamples:
    """Rows of texts, tokenized.

    Attributes:
        tokens: of each different text.
        columns: int64 [rows, 3], the number of each row's first, second and third text; -1 for none.
        targets: [rows] classes (int64) or scores (float32), or [rows, width] a teacher's vectors (float32); None where
            the loss needs none of them.
        cut: number of different texts that were cut.
    """

    tokens: Sequence[Tokens]
    columns: Rows
    targets: Tensor | None
    cut: int

    @classmethod
    def of(cls, rows: SentenceRows, encoder: TextEncoder, max_length: int, targets: Tensor | None) -> SentenceExamples:
        """Tokenize the texts of rows.

        Args:
            rows: the rows.
            encoder: has the tokenizer, and the prompt before each text.
            max_length: tokens that a longer text is cut to.
            targets: what the loss needs of each row beside its texts.
        """
        texts = rows.texts
        number = {text: index for index, text in enumerate(texts)} | {"": -1}
        columns = np.array([[number[text] for text in side] for side in (rows.first, rows.second, rows.third)]).T
        tokens, cut = cut_tokens(texts, encoder, max_length)
        return cls(tokens, columns.astype(np.int64), targets, cut)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def used_ids(self) -> Rows:
        """The token ids that occur, ascending."""
        return used_ids(self.tokens)

    @property
    def lengths(self) -> Rows:
        """int64 [rows], number of tokens of each row's texts."""
        sizes = np.array([*(len(tokens) for tokens in self.tokens), 0])
        lengths: Rows = sizes[self.columns].sum(1)
        return lengths

    def batches(self, size: int, seed: int) -> BatchSampler:
        """Return endless batches of rows, epoch after epoch."""
        return BatchSampler(self.lengths, size, seed)

    def take(self, rows: Rows) -> SentenceExamples:
        """Return some rows, over the same texts."""
        return replace(self, columns=self.columns[rows], targets=None if self.targets is None else self.targets[rows])

    def compared(self, rows: Rows, device: torch.device) -> tuple[Rows, ComparedTexts]:
        """Return the numbers of the different texts of some rows, and the rows as places among them."""
        return compared(self.columns[rows], None if self.targets is None else self.targets[rows], device)


def cut_tokens(texts: Sequence[str], encoder: TextEncoder, max_length: int) -> tuple[list[Tokens], int]:
    """Return the tokens of each text, behind the encoder's prompt, and the number of texts that were cut.

    Args:
        texts: the texts.
        encoder: has the tokenizer, and the prompt before each text.
        max_length: tokens that a longer text is cut to, special ones included.
    """
    whole = [ids_only(ids) for ids in encoder.tokenizer.ids([encoder.prompt + text for text in texts])]
    prefix, suffix = encoder.tokenizer.prefix, encoder.tokenizer.suffix
    spec = WindowSpec(max_length=max_length, overlap=0, prefix=prefix, suffix=suffix)
    return truncate_texts(whole, spec)


def used_ids(tokens: Sequence[Tokens]) -> Rows:
    """Return the token ids that occur in texts, ascending."""
    return np.unique(np.concatenate([each.ids for each in tokens]))


def compared(columns: Rows, targets: Tensor | None, device: torch.device) -> tuple[Rows, ComparedTexts]:
    """Return the numbers of the different texts of rows, and the rows as places among them.

    Args:
        columns: int64 [rows, 3], the number of each row's first, second and third text; -1 for none.
        targets: [rows], what the loss needs of each row beside its texts, or None.
        device: of the result.
    """
    texts = np.unique(columns[columns >= 0])
    positions = np.where(columns >= 0, np.searchsorted(texts, columns), -1)
    here = None if targets is None else targets.to(device)
    return texts, ComparedTexts(torch.from_numpy(positions).to(device), here)
