"""`SentencePairs`: the base class of samplers of text pairs, each text a run of consecutive sentences of a document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.text.corpus.samplers.base import Pass, check_room
from wordworth.text.corpus.token_store import TokenStore

_SPECIAL_TOKENS = 3
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class SentenceRuns:
    """The two texts of n pairs, as runs of consecutive sentences of a token store; all arrays are int64 [n].

    Attributes:
        begin: the index of the first text's first sentence.
        middle: the index of the second text's first sentence, just after the first text; `end` without a second text.
        end: the index of the sentence after both texts.
        document: the index of the document of both texts.
        random: 1 if the second text is to be replaced by a random one, else 0.
    """

    begin: NDArray[np.int64]
    middle: NDArray[np.int64]
    end: NDArray[np.int64]
    document: NDArray[np.int64]
    random: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class SentencePairs(ABC):
    """A base class of samplers whose sequences have two texts, each a run of consecutive sentences.

    Attributes:
        store: the store that is cut into sequences.
        length: the maximal length of a sequence, special tokens included.
        seed: the seed of all passes.
        short_share: the probability that a document is cut into sequences of a shorter maximal length, drawn uniformly.
        stream: a name that is mixed into the seed, so that subclasses with equal seeds draw different numbers.
        min_sentences: the least number of sentences that are taken for a pair, unless the document ends before.
        has_random_texts: whether a random text replaces the second text of about half of the pairs.
    """

    store: TokenStore
    length: int = 128
    seed: int = 0
    short_share: float = 0.1
    stream: ClassVar[str]
    min_sentences: ClassVar[int]
    has_random_texts: ClassVar[bool]

    def plan(self, number: int) -> Pass:
        """Return the sequences of pass `number`, which reads every document once, in random order."""
        rng = child(self.seed, self.stream, number)
        room = self.length - _SPECIAL_TOKENS
        targets = _document_targets(len(self.store.documents) - 1, room, self.short_share, rng)
        pairs = self._texts(self._walk(targets, rng), targets, room, rng)
        return pairs.take(rng.permutation(len(pairs)))

    @abstractmethod
    def _texts(self, runs: SentenceRuns, targets: NDArray[np.int64], room: int, rng: np.random.Generator) -> Pass:
        """Return the pairs, truncated and labelled, in the order of `runs`.

        Args:
            runs: the pairs as runs of sentences, from `_walk`.
            targets: int64 [documents], the target length of each document's pairs.
            room: number of tokens that fit into a sequence besides its special tokens.
            rng: source of randomness.
        """

    def _walk(self, targets: NDArray[np.int64], rng: np.random.Generator) -> SentenceRuns:
        """Cut every document into pairs, in order, and return them.

        Sentences are added to a chunk until it has the document's target length. A random sentence splits the chunk
        into two texts. If a random text is to replace the second, the next chunk begins with the replaced sentences.

        Args:
            targets: int64 [documents], the target length of each document's pairs.
            rng: source of randomness.
        """
        tokens, chances = self.store.sentences.data, _uniform_numbers(rng)
        bounds, least, has_random_texts = self.store.documents.tolist(), self.min_sentences, self.has_random_texts
        rows = array("q")
        for document, target in enumerate(targets.tolist()):
            here, last = bounds[document], bounds[document + 1]
            while here < last:
                # every sentence has a token: the chunk ends within `target` sentences
                enough = bisect_left(tokens, tokens[here] + target, here + 1, min(last, here + target))
                end = enough if enough >= here + least else min(here + least, last)
                middle = here + 1 + int(next(chances) * (end - here - 1))
                random = has_random_texts and (middle == end or next(chances) < 0.5)  # noqa: PLR2004 - a fair coin
                rows.extend((here, middle, end, document, random))
                here = middle if random else end
        return SentenceRuns(*np.array(rows, dtype=np.int64).reshape(-1, 5).T)


def _document_targets(documents: int, room: int, short_share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the target length of each document's sequences, int64 [documents], as BERT's code does.

    The length is `room`, or with probability `short_share` uniform in [2, room].

    Args:
        documents: number of documents.
        room: tokens that fit into a sequence besides its special tokens.
        short_share: probability of a shorter target.
        rng: source of randomness.

    Raises:
        BadInput: `room` is too small for a pair.
    """
    check_room(room, least=2)
    short = rng.random(documents) < short_share
    return np.where(short, rng.integers(2, room + 1, size=documents), room)


def _uniform_numbers(rng: np.random.Generator) -> Iterator[float]:
    """Yield uniform random numbers in [0, 1) without end, drawn in blocks, which is faster."""
    while True:
        yield from rng.random(_BLOCK).tolist()
