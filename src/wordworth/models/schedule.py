"""Which tokens go through the model together: windows over long sequences, batches of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.tokens import Tokens

LongTexts = Literal["window", "cut", "error"]
TOKENS_A_BATCH = 2048
"""Budgets between 1,000 and 8,000 tokens are alike in speed; this one keeps memory small."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What fits into the model at once.

    Attributes:
        length: tokens a sequence may have, special ones included.
        prefix: special tokens before a text.
        suffix: special tokens behind it.
        overlap: tokens that two neighbouring windows share at least.
    """

    length: int
    prefix: int
    suffix: int
    overlap: int = 32

    @property
    def room(self) -> int:
        """Tokens of text that fit between the special ones."""
        return self.length - self.prefix - self.suffix


@dataclass(frozen=True, slots=True)
class LengthReport:
    """What became of texts longer than the model's window.

    Attributes:
        texts: how many there were.
        windowed: how many were read in overlapping windows.
        cut: how many lost their end.
        limit: tokens that fit, special ones included.
    """

    texts: int
    windowed: int
    cut: int
    limit: int

    def __str__(self) -> str:
        did = [f"{self.windowed} read in overlapping windows"] if self.windowed else []
        did += [f"{self.cut} cut"] if self.cut else []
        return f"of {self.texts} texts, {' and '.join(did) or 'none'} (longer than {self.limit} tokens)"


def take(tokens: Tokens, rows: NDArray[np.int64]) -> Tokens:
    """Some of a sequence's tokens, in that order."""
    return Tokens(tokens.ids[rows], tokens.segments[rows], tokens.offsets[rows], tokens.words[rows])


def windows(length: int, limits: Limits) -> list[NDArray[np.int64]]:
    """The rows of each window over a sequence of `length` tokens.

    Every window has the special tokens around it and is full; every token stands in one at least; the last window
    reaches back as far as it must.
    """
    text = length - limits.prefix - limits.suffix
    if text <= limits.room:
        return [np.arange(length)]
    step = limits.room - min(limits.overlap, limits.room // 2)
    firsts = [*range(0, text - limits.room, step), text - limits.room]
    before, behind = np.arange(limits.prefix), np.arange(length - limits.suffix, length)
    inner = np.arange(limits.prefix, limits.prefix + limits.room)
    return [np.concatenate([before, inner + first, behind]) for first in firsts]


def fitted(sequences: Sequence[Tokens], limits: Limits, long_texts: LongTexts) -> tuple[list[Tokens], LengthReport]:
    """The sequences as they are to be read, and what was done to long ones; windows are made later.

    Raises:
        BadInput: `long_texts` is `error` and a text is too long; or no such way is known.
    """
    if long_texts not in ("window", "cut", "error"):
        raise BadInput(f"long_texts {long_texts!r} is unknown", mend="choose window, cut or error")
    long = [place for place, tokens in enumerate(sequences) if len(tokens) > limits.length]
    if long and long_texts == "error":
        count = len(sequences[long[0]])
        raise BadInput(
            f"{count} tokens, the model reads {limits.length}", where=f"text {long[0] + 1}", mend="long_texts='window'"
        )
    window = long_texts == "window"
    report = LengthReport(len(sequences), len(long) * window, len(long) * (not window), limits.length)
    return (list(sequences) if window else [_cut(tokens, limits) for tokens in sequences]), report


def cut_pair(tokens: Tokens, limits: Limits) -> Tokens:
    """A pair's tokens with the ends of its texts left out, one token at a time from the longer, until it fits."""
    excess = len(tokens) - limits.length
    if excess <= 0:
        return tokens
    special = (tokens.offsets == 0).all(axis=1)
    inner = np.flatnonzero(~special)
    first, second = np.split(inner, [int(np.argmax(np.diff(inner, append=inner[-1] + 2) > 1)) + 1])
    long, short = max(len(first), len(second)), min(len(first), len(second))
    alone = min(excess, long - short)
    both = excess - alone
    drop_first, drop_second = (both // 2, both - both // 2)
    drop_first, drop_second = (
        (drop_first + alone, drop_second) if len(first) > len(second) else (drop_first, drop_second + alone)
    )
    gone = np.concatenate([first[len(first) - drop_first :], second[len(second) - drop_second :]])
    return take(tokens, np.setdiff1d(np.arange(len(tokens)), gone))


def batches(lengths: Sequence[int], budget: int = TOKENS_A_BATCH) -> Iterator[list[int]]:
    """Places of sequences that go together: like lengths side by side, at most `budget` tokens or one sequence."""
    batch: list[int] = []
    total = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and total + lengths[place] > budget:
            yield batch
            batch, total = [], 0
        batch.append(place)
        total += lengths[place]
    if batch:
        yield batch


def _cut(tokens: Tokens, limits: Limits) -> Tokens:
    if len(tokens) <= limits.length:
        return tokens
    kept = np.arange(limits.prefix + limits.room)
    return take(tokens, np.concatenate([kept, np.arange(len(tokens) - limits.suffix, len(tokens))]))
