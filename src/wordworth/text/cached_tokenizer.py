"""Cache the pieces of words, so that a tokenizer reads each distinct word once: the words of a corpus repeat."""

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
"""The cache is emptied once its words have more characters than this."""
_WORDS_PER_CALL = 128
"""Words that are encoded as one text."""
_SPACE_SPLITTERS = frozenset({"BertPreTokenizer", "Whitespace", "WhitespaceSplit"})
_CHARACTERWISE = frozenset({"BertNormalizer", "Lowercase"})


class Pieces(NamedTuple):
    """The ids of several texts, end to end: those of text i are `ids[starts[i]:starts[i + 1]]`, both int64."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]


def read(tokenizer: Tokenizer, texts: Sequence[str]) -> Pieces:
    """The pieces of each text without special tokens, without a cache: the slow twin of `CachedTokenizer.read`."""
    token_ids = tokenizer.ids(texts, special=False)
    return Pieces(
        np.concatenate([np.zeros(0, np.int64), *token_ids]), np.cumsum([0, *map(len, token_ids)], dtype=np.int64)
    )


def read_words(tokenizer: Tokenizer, words: Sequence[str]) -> Pieces:
    """The pieces of each word, as `read` gives them, for tokenizers that split texts at spaces.

    Many words are encoded as one text and separated by `Tokens.words` afterwards: a call for each word would cost more
    than the word itself.
    """
    encoded = []
    for start in range(0, len(words), _WORDS_PER_CALL):
        batch = words[start : start + _WORDS_PER_CALL]
        (tokens,) = tokenizer.encode_words([batch])
        inside = tokens.words >= 0
        encoded.append((tokens.ids[inside], np.bincount(tokens.words[inside], minlength=len(batch))))
    ids, counts = (np.concatenate([np.zeros(0, np.int64), *each]) for each in zip(*encoded, strict=True))
    return Pieces(ids, np.concatenate([[0], np.cumsum(counts)]))


def parts_at_blanks(tokenizer: Tokenizer) -> bool:
    """Whether no token and no rule of a tokenizer reaches across a space, so that texts can be read word by word.

    This holds for BERT's rules and for static tables made from BERT. It does not hold where a space becomes part of a
    token (SentencePiece, byte-level BPE), or where the normaliser looks at the neighbours of a character.
    """
    rules = parse_json(tokenizer.to_json())
    cuts, normalizer = rules.get("pre_tokenizer") or {}, rules.get("normalizer")
    steps = normalizer.get("normalizers", [normalizer]) if normalizer else []
    whole = [token["content"] for token in rules.get("added_tokens", ())]
    return (
        cuts.get("type") in _SPACE_SPLITTERS
        and all(step.get("type") in _CHARACTERWISE for step in steps)
        and not any(" " in content for content in whole)
    )


class _Memory:
    """The cached words and their pieces; it only grows."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.known = Pieces(np.zeros(0, np.int64), np.zeros(1, np.int64))
        self.characters = 0

    def unread(self, words: Sequence[str]) -> list[str]:
        """The words that are not cached yet, each once, in order of first appearance."""
        return list(dict.fromkeys(filterfalse(self.numbers.__contains__, words)))

    def add(self, words: Sequence[str], pieces: Pieces) -> None:
        """Add words and their pieces; words that another thread added meanwhile stay as they are."""
        new = [number for number, word in enumerate(words) if word not in self.numbers]
        ids, starts = pieces if len(new) == len(words) else _select(pieces, np.array(new, dtype=np.int64))
        joined = np.concatenate([self.known.starts, starts[1:] + len(self.known.ids)])
        self.known = Pieces(np.concatenate([self.known.ids, ids]), joined)
        for number in new:
            self.numbers[words[number]] = len(self.numbers)
            self.characters += len(words[number])


class CachedTokenizer:
    """Reads texts as a tokenizer that splits at spaces does, but each distinct word only once.

    Several threads may call it at the same time.
    """

    def __init__(self, tokenizer: Tokenizer, most: int = MOST_CHARACTERS) -> None:
        """Wrap a tokenizer; the cache is emptied once it holds more than `most` characters."""
        self._tokenizer, self._most, self._lock = tokenizer, most, Lock()
        self._memory = _Memory()

    def read(self, texts: Sequence[str]) -> Pieces:
        """The pieces of each text without special tokens, as `read` of this module gives them.

        Words enter the cache only after they were read, and the lock is not held while the tokenizer works.
        """
        words = " ".join(texts).split(" ") if texts else []
        counts = np.array([text.count(" ") + 1 for text in texts], dtype=np.int64)
        memory = self._memory  # another thread may replace it meanwhile; this call keeps its own
        unread = memory.unread(words)
        pieces = read_words(self._tokenizer, unread) if unread else None
        with self._lock:
            if pieces is not None:
                memory.add(unread, pieces)
            known = memory.known
            if memory is self._memory and memory.characters > self._most:
                self._memory = _Memory()
        numbers = np.fromiter(map(memory.numbers.__getitem__, words), np.int64, len(words))
        ids, starts = _select(known, numbers)
        return Pieces(ids, starts[np.concatenate([[0], np.cumsum(counts)])])


def _select(known: Pieces, numbers: NDArray[np.int64]) -> Pieces:
    """The pieces of the words with these numbers, one word after another."""
    lengths = np.diff(known.starts)[numbers]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.arange(starts[-1]) + np.repeat(known.starts[numbers] - starts[:-1], lengths)
    return Pieces(known.ids[indices], starts)
