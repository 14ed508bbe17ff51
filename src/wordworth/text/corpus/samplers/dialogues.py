"""`DialogueWindows`: sequences of two or three turns; in half of them a turn of another dialogue replaces one turn.

The dialogue language model of ERNIE (Sun et al. 2019, arXiv 1904.09223, section 3.3): turns of the first speaker have
the role Q (query), turns of other speakers the role R (response). The patterns QRQ, QRR and QQR of the paper follow
from the speakers of the dialogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.seeds import child
from wordworth.text.corpus.dialogue_store import read_speakers
from wordworth.text.corpus.index_ranges import ranges
from wordworth.text.corpus.samplers.base import check_room
from wordworth.text.corpus.token_store import TokenStore

_TURNS = 3
_STRIDE = 2
_MARKS = 1 + _TURNS
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DialoguePass:
    """The sequences of one pass over a token store of dialogues, each of two or three turns.

    Attributes:
        texts: int64 [n, 3, 2], the bounds of each turn in the store's ids: first token, token after the last. The third
            slice is empty in a sequence of two turns.
        segments: int64 [n, 3], the role of each turn: 0 (Q) if its speaker is the first turn's speaker, else 1 (R).
        labels: int64 [n], 1 where one of the turns is from another dialogue, else 0.
    """

    texts: Numbers
    segments: Numbers
    labels: Numbers

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: NDArray[np.integer] | slice) -> DialoguePass:
        """Return the sequences with these indices, in this order.

        Args:
            rows: int64 [k], the indices, or a slice.
        """
        return DialoguePass(self.texts[rows], self.segments[rows], self.labels[rows])


@dataclass(frozen=True, kw_only=True)
class DialogueWindows:
    """A sampler of three consecutive turns of a dialogue, or of two in short dialogues.

    Attributes:
        store: a token store of dialogues.
        length: the maximal length of a sequence, special tokens included; the longest turns are cut at their end.
        seed: the seed of all passes.
    """

    store: TokenStore
    length: int = 128
    seed: int = 0

    @cached_property
    def speakers(self) -> NDArray[np.uint8]:
        """The index of each turn's speaker within the dialogue, from 0, uint8 [turns]."""
        return read_speakers(self.store)

    def plan(self, number: int) -> DialoguePass:
        """Return the sequences of pass `number`: each dialogue cut into windows of three turns.

        Neighbouring windows share a turn. The first window begins at the first or the second turn, at random.

        Raises:
            BadInput: the store holds no dialogues, or only one, so that there is no other to draw a turn from.
        """
        room = self.length - _MARKS
        check_room(room, least=_TURNS)
        if len(self.store.documents) <= 2:  # noqa: PLR2004 - the bounds of one dialogue
            what = "one dialogue alone has no other from which an utterance could be drawn"
            raise BadInput(what, where=str(self.store.folder), mend="give several dialogues")
        rng = child(self.seed, "dialogues", number)
        turns, inside, owner = self._windows(rng)
        roles = (self.speakers[turns] != self.speakers[turns[:, :1]]).astype(np.int64)
        labels = rng.integers(2, size=len(turns))
        rows = np.flatnonzero(labels)
        turns[rows, rng.integers(inside[rows].sum(axis=1))] = self._other_turns(owner[rows], rng)
        texts = self._slices(turns, inside, room)
        order = rng.permutation(len(labels))
        return DialoguePass(texts, roles, labels).take(order)

    def _windows(self, rng: np.random.Generator) -> tuple[Numbers, NDArray[np.bool_], Numbers]:
        """Return the windows of all dialogues, n in all, as three arrays.

        Returns:
            The indices of the turns in each window, int64 [n, 3]; whether each turn exists, bool [n, 3]; the index of
            each window's dialogue, int64 [n]. A missing turn has the index of the window's first turn.
        """
        first, ends = self.store.documents[:-1], self.store.documents[1:]
        begin = first + np.where(ends - first > _STRIDE, rng.integers(_STRIDE, size=len(first)), 0)
        counts = (ends - begin) // _STRIDE
        owner = np.repeat(np.arange(len(first)), counts)
        starts = (begin[owner] + _STRIDE * ranges(np.zeros_like(counts), counts))[:, None]
        turns = starts + np.arange(_TURNS)
        inside = turns < ends[owner][:, None]
        return np.where(inside, turns, starts), inside, owner

    def _other_turns(self, owner: Numbers, rng: np.random.Generator) -> Numbers:
        """Return the index of a random turn of another dialogue than `owner`, for each of n dialogues, int64 [n]."""
        first, last = self.store.documents[owner], self.store.documents[owner + 1]
        drawn = rng.integers(len(self.speakers) - (last - first))
        return drawn + np.where(drawn >= first, last - first, 0)

    def _slices(self, turns: Numbers, inside: NDArray[np.bool_], room: int) -> Numbers:
        """Return the bounds of turns in the store's ids, int64 [n, 3, 2], cut to `room` tokens per sequence."""
        sentences = self.store.sentences
        begin = np.where(inside, sentences[turns], 0)
        lengths = np.where(inside, sentences[turns + 1], 0) - begin
        return np.stack([begin, begin + np.minimum(lengths, _longest(lengths, room)[:, None])], axis=2)


def _longest(lengths: Numbers, room: int) -> Numbers:
    """Return the greatest length to which turns may be cut, int64 [n], so that each sequence has at most `room` tokens.

    >>> _longest(np.array([[2, 9, 9], [4, 4, 2], [20, 20, 20]]), 12).tolist()
    [5, 12, 4]
    """
    shortest, middle, _ = np.sort(lengths, axis=1).T
    cut = np.where(3 * shortest >= room, room // 3, np.where(shortest + 2 * middle >= room, (room - shortest) // 2, -1))
    cut = np.where(cut < 0, room - shortest - middle, cut)
    return np.where(lengths.sum(axis=1) <= room, room, cut)
