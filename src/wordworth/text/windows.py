"""Texts longer than the encoder reads: overlapping windows, and nothing lost without being counted.

A window is told by places: which tokens of its sequence it holds, special tokens around them, so that the same plan
serves ids, `Tokens` and states. Each token of a sequence is *counted* in exactly one window, so a mean over counted
tokens counts none twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.encoding import Tokens

LongTexts = Literal["window", "cut", "error"]
Span = tuple[int, int]


class TooLong(BadInput):
    """A text does not fit and may be neither windowed nor cut; `place` is its own among those given, from 0."""

    def __init__(self, place: int, length: int, limit: int) -> None:
        self.place, self.length, self.limit = place, length, limit
        said = f"text {place} has {length} tokens, the encoder reads {limit}"
        super().__init__(said, mend="let long texts be windowed, or cut")


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSpec:
    """What an encoder reads at once.

    Attributes:
        max_length: the most tokens of one window, special tokens included.
        overlap: how many tokens two neighbouring windows share at least.
        prefix: how many special tokens stand before a text.
        suffix: how many stand after it.
    """

    max_length: int
    overlap: int = 0
    prefix: int = 1
    suffix: int = 1

    def __post_init__(self) -> None:
        if self.capacity < 1:
            what = f"a window of {self.max_length} tokens has no room beside {self.prefix + self.suffix} special tokens"
            raise BadInput(what, mend="raise the limit")
        if not 0 <= self.overlap < self.capacity:
            what = f"an overlap of {self.overlap} tokens does not fit windows of {self.capacity} tokens"
            raise BadInput(what, mend=f"choose an overlap from 0 to {self.capacity - 1}")

    @property
    def capacity(self) -> int:
        """How many tokens of the text itself fit one window."""
        return self.max_length - self.prefix - self.suffix


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """One window of one sequence of a list.

    Attributes:
        sequence: which sequence of the list it is of.
        places: int64 [t], the tokens of that sequence it holds, special tokens included.
        counted: bool [t], the tokens that this window answers for; over a sequence's windows each token has one.
    """

    sequence: int
    places: NDArray[np.int64]
    counted: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Windows over a list of sequences, in their order, and what was done to fit them.

    Attributes:
        windows: one for each sequence that fits, more for one that does not.
        windowed: how many sequences have more than one window.
        cut: how many sequences lost tokens.
        dropped: how many tokens were lost in all.
    """

    windows: list[Window]
    windowed: int = 0
    cut: int = 0
    dropped: int = 0


def plan_windows(lengths: Sequence[int], frame: WindowSpec, *, long: LongTexts = "window") -> Plan:
    """How sequences of these lengths (tokens, special ones included) are read within the frame.

    `"window"` keeps every token, `"cut"` keeps the first ones and counts the rest, `"error"` refuses.

    Raises:
        BadInput: `long` is `"error"` and a sequence does not fit; names it and the numbers.
    """
    windows: list[Window] = []
    windowed = cut = dropped = 0
    for sequence, length in enumerate(lengths):
        excess = length - frame.max_length
        if excess > 0 and long == "error":
            raise TooLong(sequence, length, frame.max_length)
        if excess > 0 and long == "cut":
            cut, dropped = cut + 1, dropped + excess
            windows.append(_first_window(sequence, length, frame))
            continue
        windowed += excess > 0
        windows.extend(_sequence_windows(sequence, length, frame))
    return Plan(windows=windows, windowed=windowed, cut=cut, dropped=dropped)


def windows(tokens: Tokens, limit: int, overlap: int = 0, *, prefix: int = 1, suffix: int = 1) -> list[Tokens]:
    """The windows of one text, each of at most `limit` tokens with the special tokens around it.

    Raises:
        BadInput: the limit leaves no room for text, or the overlap fills the room.
    """
    frame = WindowSpec(max_length=limit, overlap=overlap, prefix=prefix, suffix=suffix)
    return [take(tokens, window.places) for window in plan_windows([len(tokens)], frame).windows]


def take(tokens: Tokens, places: NDArray[np.int64]) -> Tokens:
    """The tokens at some places of a sequence; offsets and words still speak of the whole text."""
    return Tokens(
        ids=tokens.ids[places],
        segments=tokens.segments[places],
        offsets=tokens.offsets[places],
        words=tokens.words[places],
    )


def spans(length: int, room: int, overlap: int) -> list[Span]:
    """Spans of `room` tokens that cover `length` tokens; the last is moved back so that it is full.

    >>> spans(10, 4, 1), spans(9, 4, 1), spans(3, 4, 1)
    ([(0, 4), (3, 7), (6, 10)], [(0, 4), (3, 7), (5, 9)], [(0, 3)])
    """
    if length <= room:
        return [(0, length)]
    starts = range(0, length - room, room - overlap)
    return [(start, start + room) for start in (*starts, length - room)]


def max_context(covering: Sequence[Span], length: int) -> NDArray[np.int32]:
    """The window that shows each token the most context: the larger of its lesser sides, the earlier at a tie.

    Args:
        covering: first and past-the-last token of each window, together covering all.
        length: how many tokens there are.

    Returns:
        int32 [length]: indices into `covering`. Devlin et al. 2019, `_check_is_max_context` of `run_squad.py`, whose
        small bonus for longer windows is kept.
    """
    best = np.full(length, -np.inf)
    owner = np.full(length, -1, dtype=np.int32)
    for index, (start, end) in enumerate(covering):
        places = np.arange(start, end)
        score = np.minimum(places - start, end - 1 - places) + 0.01 * (end - start)
        better = score > best[start:end]
        owner[start:end][better] = index
        best[start:end][better] = score[better]
    return owner


def _sequence_windows(sequence: int, length: int, frame: WindowSpec) -> list[Window]:
    if length <= frame.max_length:
        return [Window(sequence=sequence, places=np.arange(length), counted=np.ones(length, dtype=np.bool_))]
    inner = length - frame.prefix - frame.suffix
    covering = spans(inner, frame.capacity, frame.overlap)
    owner = max_context(covering, inner)
    last = len(covering) - 1
    return [
        Window(
            sequence=sequence,
            places=_framed(span, length, frame),
            counted=np.concatenate(
                [
                    np.full(frame.prefix, index == 0),  # the marks are counted once as well,
                    owner[span[0] : span[1]] == index,
                    np.full(frame.suffix, index == last),  # the first at the start, the last at the end
                ]
            ),
        )
        for index, span in enumerate(covering)
    ]


def _first_window(sequence: int, length: int, frame: WindowSpec) -> Window:
    places = _framed((0, frame.capacity), length, frame)
    return Window(sequence=sequence, places=places, counted=np.ones(len(places), dtype=np.bool_))


def _framed(span: Span, length: int, frame: WindowSpec) -> NDArray[np.int64]:
    """The places of inner tokens `span`, the sequence's own special tokens around them."""
    start, end = span
    inner = np.arange(frame.prefix + start, frame.prefix + end)
    return np.concatenate([np.arange(frame.prefix), inner, np.arange(length - frame.suffix, length)])
