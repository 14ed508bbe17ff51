"""`Instances`: the sequences that pretraining reads, laid end to end, and how they are gathered from a store."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.index_ranges import ranges, starts_of
from wordworth.text.corpus.store import TokenStore

NO_SECOND = -1


@dataclass(frozen=True, slots=True)
class Instances:
    """n sequences with their special tokens, never padded.

    Attributes:
        ids: int64 [tokens], rows of the embedding table.
        segments: int64 [tokens], 0 up to and including the first [SEP] of a pair, 1 after it; else all zero.
        starts: int32 [n + 1]; sequence i is `ids[starts[i]:starts[i + 1]]`.
        labels: int64 [n], 0: the second text follows the first; 1: it is random (next sentence) or the two are swapped
            (sentence order); -1: there is no second text.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    starts: NDArray[np.int32]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """int32 [n], tokens of each sequence, special tokens included."""
        return np.diff(self.starts)

    def take(self, rows: NDArray[np.integer] | slice) -> Instances:
        """The sequences with these indices, in this order."""
        chosen = np.arange(len(self))[rows]
        lengths = self.lengths[chosen]
        token_indices = ranges(self.starts[chosen], lengths)
        return Instances(
            self.ids[token_indices],
            self.segments[token_indices],
            starts_of(lengths).astype(np.int32),
            self.labels[chosen],
        )


def gather(
    store: TokenStore, first: NDArray[np.int64], second: NDArray[np.int64], labels: NDArray[np.int64]
) -> Instances:
    """Build `[CLS] first [SEP]` or `[CLS] first [SEP] second [SEP]` for each pair of slices of the store.

    A slice that crosses the end of a document gets a [SEP] there (FULL-SENTENCES, Liu et al. 2019, section 4.2).

    Args:
        store: holds the tokens.
        first: int64 [n, 2], first and past-the-last token of each sequence's first text.
        second: int64 [n, 2], the same of its second text; empty slices where there is none.
        labels: int64 [n], as in `Instances`.
    """
    bounds, owners, segments = _parts(store, first, second)
    lengths = bounds[:, 1] - bounds[:, 0] + 1  # and its [SEP]
    totals = np.bincount(owners, weights=lengths, minlength=len(labels)).astype(np.int64) + 1
    starts = starts_of(totals)
    ids = np.full(starts[-1], store.vocabulary.special_ids["cls"], dtype=np.int64)
    ends = np.cumsum(lengths) + owners + 1  # past each part's [SEP], a [CLS] before every sequence so far
    inner = bounds[:, 1] - bounds[:, 0]
    ids[ranges(ends - lengths, inner)] = store.ids[ranges(bounds[:, 0], inner)]
    ids[ends - 1] = store.vocabulary.special_ids["sep"]
    marked = np.zeros(len(ids), dtype=np.int64)
    marked[ranges((ends - lengths)[segments], lengths[segments])] = 1
    return Instances(ids, marked, starts.astype(np.int32), labels)


def _parts(
    store: TokenStore, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """The texts between special tokens: bounds [parts, 2], the sequence of each, whether it is a second text."""
    slices = np.stack([first, second], axis=1).reshape(-1, 2)
    owners, seconds = np.repeat(np.arange(len(first)), 2), np.tile([False, True], len(first))
    present = ~seconds | (slices[:, 0] < slices[:, 1])
    slices, owners, seconds = slices[present], owners[present], seconds[present]
    ends = store.document_tokens
    inside = np.searchsorted(ends, slices[:, 0], side="right"), np.searchsorted(ends, slices[:, 1], side="left")
    crossed = np.maximum(inside[1] - inside[0], 0)
    if not crossed.any():
        return slices, owners, seconds
    again = np.repeat(np.arange(len(slices)), crossed + 1)
    bounds = slices[again]
    cuts = ends[ranges(inside[0], crossed)]
    heads = np.cumsum(crossed + 1) - (crossed + 1)
    later = np.ones(len(bounds), dtype=np.bool_)
    later[heads] = False
    bounds[later, 0] = cuts
    bounds[np.flatnonzero(later) - 1, 1] = cuts
    return bounds, owners[again], seconds[again]
