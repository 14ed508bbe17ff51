"""Single texts that fill a sequence: consecutive tokens of one document, or whole sentences across documents."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.text.corpus.index_ranges import ranges
from wordworth.text.corpus.pretraining_sequences import NO_SECOND
from wordworth.text.corpus.samplers.base import Pass, check_room
from wordworth.text.corpus.token_store import TokenStore

_MARKS = 2


@dataclass(frozen=True, kw_only=True)
class PackedTexts:
    """A sampler of single texts that fill a sequence (Liu et al. 2019, arXiv 1907.11692, section 4.2).

    Attributes:
        store: the store that is cut into sequences.
        length: the maximal length of a sequence, special tokens included.
        seed: the seed of all passes.
        across: whether a sequence may continue across the end of a document, with a [SEP] there (FULL-SENTENCES);
            sequences then have whole sentences. If False, each document is cut into full sequences, and the first and
            the last may be shorter.
    """

    store: TokenStore
    length: int = 128
    seed: int = 0
    across: bool = False

    def plan(self, number: int) -> Pass:
        """Return the sequences of pass `number`, in random order, which together hold every token of the store once.

        Each pass cuts documents at different points.
        """
        check_room(self.length - _MARKS, least=1)
        rng = child(self.seed, "packed", number)
        first = self._sentence_runs(rng) if self.across else self._document_runs(rng)
        first = first[rng.permutation(len(first))]
        return Pass(first, np.repeat(first[:, 1:], 2, axis=1), np.full(len(first), NO_SECOND))

    def _document_runs(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the bounds of runs of tokens inside documents, int64 [n, 2] in the store's ids.

        A run has as many tokens as fit into a sequence; the first run of a longer document has a random length, and the
        last run may be shorter.
        """
        room = self.length - _MARKS
        begins, ends = self.store.document_tokens[:-1], self.store.document_tokens[1:]
        sizes = ends - begins
        first_lengths = np.where(sizes > room, rng.integers(1, room + 1, size=len(sizes)), sizes)
        runs = 1 - (first_lengths - sizes) // room
        owner = np.repeat(np.arange(len(sizes)), runs)
        stop = begins[owner] + first_lengths[owner] + ranges(np.zeros_like(runs), runs) * room
        start = np.maximum(stop - room, begins[owner])
        start[np.cumsum(runs) - runs] = begins
        return np.stack([start, np.minimum(stop, ends[owner])], axis=1)

    def _sentence_runs(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the bounds of runs of whole sentences, int64 [n, 2] in the store's ids.

        A run has as many sentences as fit into a sequence with the [SEP]s between documents; the first run fits a
        random shorter length.
        """
        room = self.length - _MARKS
        cut_points = _cut_points(self.store.sentences, room)
        starts = self.store.document_tokens
        start_costs = (cut_points + np.searchsorted(starts, cut_points, side="right")).data
        end_costs = (cut_points + np.searchsorted(starts, cut_points, side="left")).data
        here, last, left = 0, len(cut_points) - 1, int(rng.integers(1, room + 1))
        cuts = [0]
        while here < last:
            fits = bisect_right(end_costs, start_costs[here] + left, here + 1, min(last, here + room) + 1) - 1
            here, left = max(fits, here + 1), room
            cuts.append(here)
        bounds = cut_points[cuts]
        return np.stack([bounds[:-1], bounds[1:]], axis=1)


def _cut_points(sentences: NDArray[np.int64], room: int) -> NDArray[np.int64]:
    """Return the indices of the tokens at which a run may begin or end, int64 [m].

    These are the first token of every sentence, every `room` tokens inside a longer sentence, and the end of the store.
    """
    sizes = np.diff(sentences)
    pieces = -(-sizes // room)
    within = ranges(np.zeros_like(pieces), pieces) * room
    return np.append(np.repeat(sentences[:-1], pieces) + within, sentences[-1])
