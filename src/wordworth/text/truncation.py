"""Truncation of texts and pairs of texts to a number of tokens, one function for each published rule.

Windows that read a long text as a whole are planned in `text/windows.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokens import Tokens
from wordworth.text.windows import WindowSpec, plan_windows, take

Slices = NDArray[np.int64]


def truncate_texts(tokens: Sequence[Tokens], spec: WindowSpec) -> tuple[list[Tokens], int]:
    """Truncate each text to the size of one window; return (truncated texts, number of texts that were cut).

    Args:
        tokens: the tokens of each text, special tokens included.
        spec: the window's size; special tokens are never cut.
    """
    plan = plan_windows([len(each) for each in tokens], spec, long="cut")
    read = [
        each if len(each) <= spec.max_length else take(each, window.positions)
        for each, window in zip(tokens, plan.windows, strict=True)
    ]
    return read, plan.cut


def truncate_pair(tokens: Tokens, limit: int) -> Tokens:
    """Truncate a pair of texts, removing one token at a time from the end of the longer text.

    The rule is `_truncate_seq_pair` of `run_classifier.py` (Devlin et al. 2019). If both texts are equally long, the
    second loses a token.

    Args:
        tokens: the pair.
        limit: most tokens to keep, special tokens included.
    """
    excess = len(tokens) - limit
    if excess <= 0:
        return tokens
    inner = np.flatnonzero((tokens.offsets != 0).any(axis=1))
    parts = np.split(inner, np.flatnonzero(np.diff(inner) > 1) + 1)
    first, second = parts[0], np.concatenate([inner[:0], *parts[1:]])
    for _ in range(excess):
        if len(first) > len(second):
            first = first[:-1]
        else:
            second = second[:-1]
    removed = np.setdiff1d(inner, np.concatenate([first, second]))
    return take(tokens, np.setdiff1d(np.arange(len(tokens)), removed))


def keep_head_and_tail(tokens: Tokens, limit: int) -> Tokens:
    """Truncate a text by removing its middle; special tokens stay.

    As many tokens stay at the beginning of the text as at its end, or one more. A pair loses tokens of the longer text
    first, until both texts are equally long.

    Args:
        tokens: the text or pair of texts.
        limit: most tokens to keep, special tokens included.
    """
    excess = len(tokens) - limit
    if excess <= 0:
        return tokens
    texts = _texts(tokens)
    dropped = [
        _middle(text, count) for text, count in zip(texts, _shares([len(text) for text in texts], excess), strict=True)
    ]
    kept = np.setdiff1d(np.arange(len(tokens)), np.concatenate(dropped))
    return take(tokens, kept)


def _texts(tokens: Tokens) -> list[NDArray[np.int64]]:
    """Return the token indices of each text: runs between special tokens, which have no characters."""
    inner = np.flatnonzero(tokens.offsets[:, 1] > tokens.offsets[:, 0])
    return [run for run in np.split(inner, np.flatnonzero(np.diff(inner) > 1) + 1) if len(run)]


def _middle(text: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    first = (len(text) - count + 1) // 2
    return text[first : first + count]


def _shares(lengths: list[int], excess: int) -> list[int]:
    """Return how many tokens each text loses, `excess` in all, to make the longest text as short as possible."""
    level = max(lengths)
    while sum(max(length - level, 0) for length in lengths) < excess:
        level -= 1
    shares = [max(length - level, 0) for length in lengths]
    shares[int(np.argmax(shares))] -= sum(shares) - excess
    return shares


def two_texts(
    sentences: Slices, begins: NDArray[np.int64], middles: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[Slices, Slices]:
    """Return the bounds of the first and of the second text of each of n sequences, int64 [n, 2] each.

    Each text is a run of consecutive sentences of a token store; the second text follows the first. Bounds are indices
    of the store's tokens: (first token, token after the last).

    Args:
        sentences: int64 [sentences + 1], the index of each sentence's first token; the last entry is the end of the
            last sentence.
        begins: int64 [n], the index of the first sentence of each first text.
        middles: int64 [n], the index of the first sentence of each second text.
        ends: int64 [n], the index of the sentence after each second text.
    """
    begin, middle, end = sentences[begins], sentences[middles], sentences[ends]
    return np.stack([begin, middle], axis=1), np.stack([middle, end], axis=1)


def truncate_slices(first: Slices, second: Slices, room: int, rng: np.random.Generator) -> tuple[Slices, Slices]:
    """Return the bounds of pairs of texts, truncated so that both texts together have at most `room` tokens.

    The result has the distribution of `truncate_seq_pair` of google-research/bert (create_pretraining_data.py). There,
    while the pair is too long, a token of the longer text (of the second if they are equally long) is dropped, from its
    front or its back with equal probability. Here the number of tokens that a text loses is computed from the lengths,
    and the number lost at its front is drawn from a binomial distribution.

    Args:
        first: int64 [n, 2], the bounds of each first text in a token store, as `two_texts` returns them.
        second: int64 [n, 2], the bounds of each second text.
        room: number of tokens that fit into a sequence besides its special tokens.
        rng: source of randomness.
    """
    lengths = np.stack([first[:, 1] - first[:, 0], second[:, 1] - second[:, 0]])
    excess = np.maximum(lengths.sum(axis=0) - room, 0)
    difference = lengths[0] - lengths[1]
    alone = np.minimum(excess, np.abs(difference))
    rest = excess - alone
    from_first = np.where(difference > 0, alone, 0) + rest // 2
    from_second = np.where(difference < 0, alone, 0) + rest - rest // 2
    return _cut(first, from_first, rng), _cut(second, from_second, rng)


def _cut(slices: Slices, number: NDArray[np.int64], rng: np.random.Generator) -> Slices:
    front = rng.binomial(number, 0.5)
    return np.stack([slices[:, 0] + front, slices[:, 1] - (number - front)], axis=1)
