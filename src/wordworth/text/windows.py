"""Split texts longer than the encoder's limit into overlapping windows, or cut them and count the lost tokens.

A window is a list of positions in its sequence, special tokens included, so that the same `Plan` of windows can be
applied to ids, to `Tokens` and to an encoder's states. Each token of a sequence is *counted* in exactly one window, so
that a mean over counted tokens uses every token once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.text.tokens import Tokens

LongTexts = Literal["window", "cut", "error"]
Span = tuple[int, int]


class TooLong(BadInput):
    """An error for a text that is too long and may not be split into windows; `index` is its index among the texts."""

    def __init__(self, index: int, length: int, limit: int) -> None:
        self.index, self.length, self.limit = index, length, limit
        message = f"text {index} (the first is 0) has {length:,} tokens, the encoder reads {limit:,}"
        super().__init__(message, mend="read it in windows or cut: long_texts='window' or 'cut'")


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSpec:
    """The size of an encoder's window in tokens.

    Attributes:
        max_length: maximal number of tokens in a window, special tokens included.
        overlap: minimal number of tokens that two neighbouring windows share.
        prefix: number of special tokens before a text.
        suffix: number of special tokens after a text.
    """

    max_length: int
    overlap: int = 0
    prefix: int = 1
    suffix: int = 1

    def __post_init__(self) -> None:
        if self.capacity < 1:
            what = (
                f"a window of {self.max_length} tokens leaves no room beside {self.prefix + self.suffix} special tokens"
            )
            raise BadInput(what, mend="raise the limit")
        if not 0 <= self.overlap < self.capacity:
            what = f"an overlap of {self.overlap} tokens does not fit windows of {self.capacity} tokens"
            raise BadInput(what, mend=f"choose an overlap from 0 to {self.capacity - 1}")

    @property
    def capacity(self) -> int:
        """The number of tokens of the text itself that fit into a window."""
        return self.max_length - self.prefix - self.suffix


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A window of a sequence: a part of a long text that the encoder reads at once.

    Attributes:
        sequence: index of the sequence in the list of all sequences.
        positions: int64 [t], the positions of the window's tokens in the sequence, special tokens included.
        is_counted: bool [t], whether each token is counted in this window; neighbouring windows overlap, and each token
            of a sequence is counted in exactly one of them.
    """

    sequence: int
    positions: NDArray[np.int64]
    is_counted: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """The windows into which a list of sequences is split, in their order, and how many sequences were split or cut.

    Attributes:
        windows: the windows in order; one window for each sequence that fits, several for a longer sequence.
        windowed: number of sequences with more than one window.
        cut: number of sequences that lost tokens.
        dropped: number of tokens lost in all sequences.
    """

    windows: list[Window]
    windowed: int = 0
    cut: int = 0
    dropped: int = 0


def require_long_texts(long: object) -> None:
    """Check that `long` is a way to read long texts: `window`, `cut` or `error`.

    Raises:
        BadInput: `long` is another word.
    """
    if long not in get_args(LongTexts):
        mend = nearest(str(long), get_args(LongTexts))
        raise BadInput(f"no way to read long texts {long!r}", where="long_texts", mend=mend)


def plan_windows(lengths: Sequence[int], spec: WindowSpec, *, long: LongTexts = "window") -> Plan:
    """Plan the windows in which an encoder reads sequences, some of which may be too long for it.

    Args:
        lengths: number of tokens of each sequence, special tokens included.
        spec: the size of a window.
        long: what to do with long sequences: `"window"` splits them into several windows, `"cut"` reads only their
            first tokens and counts the lost ones, `"error"` refuses them.

    Raises:
        BadInput: `long` is `"error"` and a sequence does not fit, or `long` is not one of these three words.
    """
    require_long_texts(long)
    windows: list[Window] = []
    windowed = cut = dropped = 0
    for sequence, length in enumerate(lengths):
        excess = length - spec.max_length
        if excess > 0 and long == "error":
            raise TooLong(sequence, length, spec.max_length)
        if excess > 0 and long == "cut":
            cut, dropped = cut + 1, dropped + excess
            windows.append(_first_window(sequence, length, spec))
            continue
        windowed += excess > 0
        windows.extend(_sequence_windows(sequence, length, spec))
    return Plan(windows=windows, windowed=windowed, cut=cut, dropped=dropped)


def take(tokens: Tokens, positions: NDArray[np.int64]) -> Tokens:
    """Return the tokens at some positions of a sequence; offsets and words still refer to the whole text.

    Args:
        tokens: the sequence.
        positions: int64 [k], the positions.
    """
    return Tokens(
        ids=tokens.ids[positions],
        segments=tokens.segments[positions],
        offsets=tokens.offsets[positions],
        words=tokens.words[positions],
        features={name: values[positions] for name, values in tokens.features.items()},
    )


def spans(length: int, capacity: int, overlap: int, *, fill_last: bool = True) -> list[Span]:
    """Return spans of `capacity` tokens, each overlapping the next, that cover `length` tokens.

    Args:
        length: number of tokens.
        capacity: tokens of a span.
        overlap: minimal number of tokens that two neighbouring spans share.
        fill_last: whether the last span is moved back so that it is full; else it may be short, as in `run_squad.py`.

    >>> spans(10, 4, 1), spans(9, 4, 1), spans(3, 4, 1)
    ([(0, 4), (3, 7), (6, 10)], [(0, 4), (3, 7), (5, 9)], [(0, 3)])
    >>> spans(500, 370, 242, fill_last=False)
    [(0, 370), (128, 498), (256, 500)]
    """
    if length <= capacity:
        return [(0, length)]
    starts = range(0, length - capacity, capacity - overlap)
    last = length - capacity if fill_last else len(starts) * (capacity - overlap)
    return [(start, min(start + capacity, length)) for start in (*starts, last)]


def max_context(covering: Sequence[Span], length: int) -> NDArray[np.int32]:
    """Return, for each token, the index of the window in which the shorter of its left and right contexts is longest.

    Args:
        covering: (first token, token after the last) of each window; together the windows cover all tokens.
        length: number of tokens.

    Returns:
        int32 [length]; of equally good windows the index of the first. The rule is taken from `_check_is_max_context`
        in `run_squad.py` (Devlin et al. 2019), with its small bonus for longer windows.
    """
    best = np.full(length, -np.inf)
    owner = np.full(length, -1, dtype=np.int32)
    for index, (start, end) in enumerate(covering):
        positions = np.arange(start, end)
        score = np.minimum(positions - start, end - 1 - positions) + 0.01 * (end - start)
        better = score > best[start:end]
        owner[start:end][better] = index
        best[start:end][better] = score[better]
    return owner


def _sequence_windows(sequence: int, length: int, spec: WindowSpec) -> list[Window]:
    if length <= spec.max_length:
        return [Window(sequence=sequence, positions=np.arange(length), is_counted=np.ones(length, dtype=np.bool_))]
    inner = length - spec.prefix - spec.suffix
    covering = spans(inner, spec.capacity, spec.overlap)
    owner = max_context(covering, inner)
    last = len(covering) - 1
    return [
        Window(
            sequence=sequence,
            positions=_with_special_tokens(span, length, spec),
            is_counted=np.concatenate(
                [
                    np.full(spec.prefix, index == 0),  # special tokens are counted once as well,
                    owner[span[0] : span[1]] == index,
                    np.full(spec.suffix, index == last),  # the first at the start, the last at the end
                ]
            ),
        )
        for index, span in enumerate(covering)
    ]


def _first_window(sequence: int, length: int, spec: WindowSpec) -> Window:
    positions = _with_special_tokens((0, spec.capacity), length, spec)
    return Window(sequence=sequence, positions=positions, is_counted=np.ones(len(positions), dtype=np.bool_))


def _with_special_tokens(span: Span, length: int, spec: WindowSpec) -> NDArray[np.int64]:
    """Return a window's positions in the sequence: the special tokens at both ends, and between them a span of text.

    Args:
        span: (first token, token after the last), counted without special tokens.
        length: number of tokens of the sequence, special tokens included.
        spec: the number of special tokens before and after the text.
    """
    start, end = span
    inner = np.arange(spec.prefix + start, spec.prefix + end)
    return np.concatenate([np.arange(spec.prefix), inner, np.arange(length - spec.suffix, length)])
