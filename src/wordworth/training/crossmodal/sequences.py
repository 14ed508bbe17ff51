"""Sequences of words and codes as a model reads them: [CLS] words [>] codes [SEP], or words or codes alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.words_and_codes_vocabulary import CLS, CODES, SEP

Numbers = NDArray[np.int64]
WORDS_SIDE, CODES_SIDE = 0, 1
_SPECIAL = 3
"""Tokens of a sequence besides words and codes: [CLS], [>] and [SEP]."""


@dataclass(frozen=True)
class Pairs:
    """Captions, each with the codes of its image, sound or video, as ids of a common vocabulary.

    A pair may lack one side, which is then an empty array: words alone, or codes alone.

    Attributes:
        words: for each pair, int64 [words], the ids of the words of the caption.
        codes: for each pair, int64 [codes], the ids of the codes.
    """

    words: Sequence[Numbers]
    codes: Sequence[Numbers]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def whole(self) -> Numbers:
        """The indices of the pairs that have both words and codes, int64 [k], ascending."""
        sides = zip(self.words, self.codes, strict=True)
        return np.flatnonzero([len(words) > 0 and len(codes) > 0 for words, codes in sides])

    def cut(self, max_length: int) -> Pairs:
        """Return the pairs with words and codes cut so that a sequence has at most `max_length` tokens.

        Half of the tokens that are not special are for words, half for codes, also if a pair has only one of the two.
        """
        room = _room(max_length)
        return Pairs([ids[:room] for ids in self.words], [ids[:room] for ids in self.codes])

    def take(self, rows: Numbers) -> Pairs:
        """Return the pairs with these indices, in this order.

        Args:
            rows: int64 [k], the indices.
        """
        return Pairs([self.words[row] for row in rows], [self.codes[row] for row in rows])

    def with_words_of(self, rows: Numbers) -> Pairs:
        """Return the same codes, each with the words of another pair.

        Args:
            rows: int64 [pairs], the index of the pair whose words each pair gets.
        """
        return Pairs([self.words[row] for row in rows], self.codes)


def instances_of(
    sides: Sequence[tuple[Numbers | None, Numbers | None]], labels: NDArray[np.int64], max_length: int
) -> Instances:
    """Return sequences `[CLS] words [>] codes [SEP]` for training.

    A sequence without codes is `[CLS] words [SEP]`, one without words `[CLS] [>] codes [SEP]`.

    Args:
        sides: for each sequence (int64 [words], ids of its words; int64 [codes], ids of its codes); one of the two may
            be None.
        labels: int64 [n], the label of each sequence, as in `Instances.labels`.
        max_length: maximal number of tokens of a sequence. Half of the tokens that are not special are for words, half
            for codes; what is longer is cut.
    """
    ids, segments, room = list[Numbers](), list[Numbers](), _room(max_length)
    for words, codes in sides:
        first = np.concatenate([[CLS], words[:room] if words is not None else []])
        second = np.concatenate([[CODES], codes[:room], [SEP]] if codes is not None else [[SEP]])
        ids.append(np.concatenate([first, second]).astype(np.int64))
        segments.append(
            np.repeat([WORDS_SIDE, CODES_SIDE if codes is not None else WORDS_SIDE], [len(first), len(second)])
        )
    starts = np.concatenate([[0], np.cumsum([len(own) for own in ids])]).astype(np.int32)
    return Instances(np.concatenate(ids), np.concatenate(segments).astype(np.int64), starts, labels)


def _room(max_length: int) -> int:
    return (max_length - _SPECIAL) // 2
