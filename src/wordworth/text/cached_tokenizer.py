"""Words repeat: the pieces of what stands between blanks are remembered, so that a tokenizer reads each word once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.json_file import parse_json
from wordworth.text.tokenizer import Tokenizer

MOST_CHARACTERS = 1 << 24
"""Once words of so many characters are remembered, all are forgotten."""
_AT_ONCE = 128
"""Words read as one text."""
_CUTS_AT_BLANKS = frozenset({"BertPreTokenizer", "Whitespace", "WhitespaceSplit"})
_LOOKS_AT_ONE_CHARACTER = frozenset({"BertNormalizer", "Lowercase"})


class Pieces(NamedTuple):
    """The ids of texts, end to end: those of text i are `ids[starts[i]:starts[i + 1]]`, both int64."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]


def read(tokenizer: Tokenizer, texts: Sequence[str]) -> Pieces:
    """The pieces of each text without special tokens: what `CachedTokenizer` gives, by reading every text."""
    found = tokenizer.ids(texts, special=False)
    return Pieces(np.concatenate([np.zeros(0, np.int64), *found]), np.cumsum([0, *map(len, found)], dtype=np.int64))


def read_words(tokenizer: Tokenizer, words: Sequence[str]) -> Pieces:
    """The pieces of each word, as `read` gives them, for tokenizers that part texts at blanks.

    Many words are read as one text and told apart by where their pieces stand: a call a word costs more than a word.
    """
    found = []
    for start in range(0, len(words), _AT_ONCE):
        some = words[start : start + _AT_ONCE]
        (tokens,) = tokenizer.encode_words([some])
        inside = tokens.words >= 0
        found.append((tokens.ids[inside], np.bincount(tokens.words[inside], minlength=len(some))))
    ids, counts = (np.concatenate([np.zeros(0, np.int64), *each]) for each in zip(*found, strict=True))
    return Pieces(ids, np.concatenate([[0], np.cumsum(counts)]))


def parts_at_blanks(tokenizer: Tokenizer) -> bool:
    """Whether no token and no rule of a tokenizer reaches across a blank: a text is read as its words are, one by one.

    So it is with BERT's rules, and those of tables made from BERT; not where a blank becomes a part of a token
    (SentencePiece, byte-level BPE), or a normaliser looks at what stands around a character.
    """
    rules = parse_json(tokenizer.to_json())
    cuts, normalizer = rules.get("pre_tokenizer") or {}, rules.get("normalizer")
    steps = normalizer.get("normalizers", [normalizer]) if normalizer else []
    whole = [token["content"] for token in rules.get("added_tokens", ())]
    return (
        cuts.get("type") in _CUTS_AT_BLANKS
        and all(step.get("type") in _LOOKS_AT_ONE_CHARACTER for step in steps)
        and not any(" " in content for content in whole)
    )


class _Memory:
    """Words and their pieces; it only grows."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.known = Pieces(np.zeros(0, np.int64), np.zeros(1, np.int64))
        self.characters = 0

    def unread(self, words: Sequence[str]) -> list[str]:
        """The words that it does not have, each once, in their order."""
        return list(dict.fromkeys(filterfalse(self.numbers.__contains__, words)))

    def add(self, words: Sequence[str], pieces: Pieces) -> None:
        """Take words and their pieces; what it has by now stays as it is."""
        new = [number for number, word in enumerate(words) if word not in self.numbers]
        ids, starts = pieces if len(new) == len(words) else _taken(pieces, np.array(new, dtype=np.int64))
        joined = np.concatenate([self.known.starts, starts[1:] + len(self.known.ids)])
        self.known = Pieces(np.concatenate([self.known.ids, ids]), joined)
        for number in new:
            self.numbers[words[number]] = len(self.numbers)
            self.characters += len(words[number])


class CachedTokenizer:
    """Reads texts as a tokenizer that parts them at blanks does, each word once. Many threads may ask it at a time."""

    def __init__(self, tokenizer: Tokenizer, most: int = MOST_CHARACTERS) -> None:
        """`most` characters are remembered."""
        self._tokenizer, self._most, self._lock = tokenizer, most, Lock()
        self._memory = _Memory()

    def read(self, texts: Sequence[str]) -> Pieces:
        """The pieces of each text without special tokens, as `read` of this module gives them.

        Words are remembered only once they were read, and the lock is not held while the tokenizer reads.
        """
        words = " ".join(texts).split(" ") if texts else []
        counts = np.array([text.count(" ") + 1 for text in texts], dtype=np.int64)
        memory = self._memory  # another thread may forget it meanwhile; this call stays with it
        unread = memory.unread(words)
        pieces = read_words(self._tokenizer, unread) if unread else None
        with self._lock:
            if pieces is not None:
                memory.add(unread, pieces)
            known = memory.known
            if memory is self._memory and memory.characters > self._most:
                self._memory = _Memory()
        numbers = np.fromiter(map(memory.numbers.__getitem__, words), np.int64, len(words))
        ids, starts = _taken(known, numbers)
        return Pieces(ids, starts[np.concatenate([[0], np.cumsum(counts)])])


def _taken(known: Pieces, numbers: NDArray[np.int64]) -> Pieces:
    """The pieces of numbered words, one word after another."""
    lengths = np.diff(known.starts)[numbers]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(starts[-1]) + np.repeat(known.starts[numbers] - starts[:-1], lengths)
    return Pieces(known.ids[places], starts)
