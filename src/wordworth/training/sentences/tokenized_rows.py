"""Tokenized rows of texts: each distinct text is tokenized once, and rows are indices of texts.

An encoder with a prompt before queries and another before documents reads the first texts of rows as queries, and the
second and third texts as documents. A text that occurs as a query and as a document is tokenized with each prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Protocol, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.models.prompts import Role, prompts_by_role
from wordworth.models.text_encoder import TextEncoder
from wordworth.tasks.reading.sentence_rows import SentenceRows
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens, ids_only
from wordworth.text.truncation import truncate_texts
from wordworth.text.windows import WindowSpec
from wordworth.training.batch_sampler import BatchSampler
from wordworth.training.loop import BatchSource
from wordworth.training.sentences.losses.base import ComparedTexts

Rows = NDArray[np.int64]


class TrainingTexts(Protocol):
    """An interface: training texts, which a loss compares in rows of two or three.

    Rows come from a file (`SentenceExamples`), or are all pairs of labelled texts (`LabelPairs`).
    """

    @property
    def tokens(self) -> Sequence[Tokens]:
        """The tokens of each distinct text of the training rows, with its special tokens."""

    @property
    def used_ids(self) -> Rows:
        """The distinct token ids of all texts, int64 [ids], ascending."""

    def batches(self, size: int, seed: int) -> BatchSource[Rows]:
        """Return an endless source of batches, as indices of rows.

        Args:
            size: number of rows in a batch.
            seed: seed of the order.
        """

    def compared(self, rows: Rows, device: torch.device) -> tuple[Rows, ComparedTexts]:
        """Return the distinct texts of some rows, int64 [texts], and the rows as indices into these texts.

        Args:
            rows: int64 [n], the indices of the rows.
            device: the device of the result.
        """


@dataclass(frozen=True, slots=True)
class SentenceExamples:
    """Tokenized rows of two or three texts each.

    Attributes:
        tokens: the tokens of each distinct text with its prompt.
        columns: int64 [rows, 3], the index of each row's first, second and third text; -1 for none.
        targets: [rows] classes (int64) or scores (float32), or [rows, width] a teacher's vectors (float32); None if the
            loss needs no targets.
        cut: number of distinct texts that were cut to the maximal length.
        text_ids: int64 [len(tokens)], a number that identifies the text of each entry of `tokens`: entries that are one
            text with different prompts have the same number. None if every entry has a text of its own.
    """

    tokens: Sequence[Tokens]
    columns: Rows
    targets: Tensor | None
    cut: int
    text_ids: Rows | None = None

    @classmethod
    def of(cls, rows: SentenceRows, encoder: TextEncoder, max_length: int, targets: Tensor | None) -> SentenceExamples:
        """Tokenize the texts of rows, each distinct text once with each prompt that it needs.

        Args:
            rows: the rows, with the texts of each.
            encoder: the encoder, whose tokenizer and prompts are used.
            max_length: maximal number of tokens; longer texts are cut.
            targets: the targets of rows that the loss needs, [rows] or [rows, width], or None.
        """
        by_role = prompts_by_role(encoder)
        query, document = (by_role.get(role, encoder.prompt) for role in get_args(Role))
        sides = ((query, rows.first), (document, rows.second), (document, rows.third))
        read = list(dict.fromkeys((prompt, text) for prompt, side in sides for text in side if text))
        index = {each: number for number, each in enumerate(read)}
        columns = np.array([[index[prompt, text] if text else -1 for text in side] for prompt, side in sides]).T
        tokens, cut = _cut([prompt + text for prompt, text in read], encoder.tokenizer, max_length)
        texts = [text for _, text in read]
        return cls(tokens, columns.astype(np.int64), targets, len(set(compress(texts, cut))), _text_ids(texts))

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def used_ids(self) -> Rows:
        """The distinct token ids of all texts, int64 [ids], ascending."""
        return used_ids(self.tokens)

    @property
    def lengths(self) -> Rows:
        """Number of tokens of each row's texts together, int64 [rows]."""
        sizes = np.array([*(len(tokens) for tokens in self.tokens), 0])
        lengths: Rows = sizes[self.columns].sum(1)
        return lengths

    def batches(self, size: int, seed: int) -> BatchSampler:
        """Return an endless source of batches of rows, epoch after epoch.

        A single row that is left over at the end of an epoch is joined to the batch before it, as a row alone has no
        negatives in its batch.

        Args:
            size: number of rows in a batch.
            seed: seed of the order.
        """
        return BatchSampler(self.lengths, size, seed, least=least_rows(size))

    def take(self, rows: Rows) -> SentenceExamples:
        """Return some of the rows; the texts stay the same.

        Args:
            rows: int64 [n], the indices of the rows.
        """
        return replace(self, columns=self.columns[rows], targets=None if self.targets is None else self.targets[rows])

    def compared(self, rows: Rows, device: torch.device) -> tuple[Rows, ComparedTexts]:
        """Return the distinct texts of some rows, int64 [texts], and the rows as indices into these texts.

        Args:
            rows: int64 [n], the indices of the rows.
            device: the device of the result.
        """
        targets = None if self.targets is None else self.targets[rows]
        return compared(self.columns[rows], targets, device, self.text_ids)


def least_rows(batch_size: int) -> int:
    """Return the fewest rows in a batch: 2 if batches have several rows, else 1.

    Args:
        batch_size: number of rows of a usual batch.
    """
    return min(2, batch_size)


def cut_tokens(texts: Sequence[str], encoder: TextEncoder, max_length: int) -> tuple[list[Tokens], NDArray[np.bool_]]:
    """Tokenize texts with the encoder's prompt before each; return (tokens of each text, whether it was cut).

    Whether texts were cut is a bool array [texts].

    Args:
        texts: the texts.
        encoder: the encoder, whose tokenizer and prompt are used.
        max_length: maximal number of tokens, special ones included; longer texts are cut.
    """
    tokens, cut = _cut([encoder.prompt + text for text in texts], encoder.tokenizer, max_length)
    return tokens, np.array(cut, dtype=np.bool_)


def read_beginnings(texts: Sequence[str], encoder: TextEncoder, max_length: int) -> list[str]:
    """Return the part of each text that an encoder reads: its beginning, or the whole text if it is not too long.

    Args:
        texts: the texts.
        encoder: the encoder, whose tokenizer and prompt are used.
        max_length: maximal number of tokens, special ones included; longer texts are cut.
    """
    read, (_, cut) = list(texts), cut_tokens(texts, encoder, max_length)
    spec = _window(encoder.tokenizer, max_length)
    for row in np.flatnonzero(cut).tolist():
        tokens = truncate_texts(encoder.tokenizer.encode([encoder.prompt + read[row]]), spec)[0][0]
        read[row] = read[row][: max(0, int(tokens.offsets.max()) - len(encoder.prompt))]
    return read


def _cut(texts: list[str], tokenizer: TokenizerProtocol, max_length: int) -> tuple[list[Tokens], list[bool]]:
    """Return the tokens of each text, and whether it was cut."""
    whole = [ids_only(ids) for ids in tokenizer.ids(texts)]
    return truncate_texts(whole, _window(tokenizer, max_length))[0], [len(tokens) > max_length for tokens in whole]


def _window(tokenizer: TokenizerProtocol, max_length: int) -> WindowSpec:
    return WindowSpec(max_length=max_length, overlap=0, prefix=tokenizer.prefix, suffix=tokenizer.suffix)


def _text_ids(texts: Sequence[str]) -> Rows | None:
    """Return a number for each text, int64 [texts], the same for equal texts; None if all texts differ."""
    number = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    return None if len(number) == len(texts) else np.array([number[text] for text in texts])


def used_ids(tokens: Sequence[Tokens]) -> Rows:
    """Return the distinct token ids of texts, int64 [ids], ascending."""
    return np.unique(np.concatenate([each.ids for each in tokens]))


def compared(
    columns: Rows, targets: Tensor | None, device: torch.device, text_ids: Rows | None = None
) -> tuple[Rows, ComparedTexts]:
    """Return the distinct texts of rows, and the rows as indices into these texts.

    Args:
        columns: int64 [rows, 3], the index of each row's first, second and third text; -1 for none.
        targets: [rows, ...], the targets of rows that the loss needs, or None.
        device: device of the result.
        text_ids: int64 [all texts], equal for entries that are one text with different prompts; None if all differ.

    Returns:
        (int64 [texts], the distinct texts as indices into all texts, ascending; the rows, with indices into the
        distinct texts).
    """
    texts = np.unique(columns[columns >= 0])
    positions = np.where(columns >= 0, np.searchsorted(texts, columns), -1)
    here = None if targets is None else targets.to(device)
    same = None if text_ids is None else np.unique(text_ids[texts], return_inverse=True)[1]
    numbered = None if same is None else torch.from_numpy(same).to(device)
    return texts, ComparedTexts(torch.from_numpy(positions).to(device), here, numbered)
