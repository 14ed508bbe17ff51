"""Cached tokenizers: each distinct word is encoded once, since the words of texts repeat."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, repeat
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from wordworth.json_file import parse_json
from wordworth.text.corpus.index_ranges import ranges, starts_of
from wordworth.text.tokenizer import Tokenizer

MOST_CHARACTERS = 1 << 24
"""The cache is emptied once its words have more characters than this."""
_MOST_OF_CORPUS = 3_000_000
"""The limit instead of `MOST_CHARACTERS` when a corpus is tokenized: about 60 MB in each process."""
_WORDS_PER_CALL = 1024
"""Number of words that are encoded as one text."""
_SPACE_SPLITTERS = frozenset({"BertPreTokenizer", "Whitespace", "WhitespaceSplit"})
_CHARACTERWISE = frozenset({"BertNormalizer", "Lowercase"})
_BLANKS_TO_PYTHON_ONLY = re.compile("[\x0b\x0c\x1c-\x1f\x85]")

Ids = NDArray[Any]
Split = Callable[[Sequence[str]], tuple[list[str], NDArray[np.int64]]]
"""A function: texts -> (the words of all texts, one text after the other; the number of words of each text)."""


class EncodedTexts(NamedTuple):
    """The token ids of several texts in one array.

    Attributes:
        ids: int [tokens], the token ids of all texts, one text after the other.
        starts: int64 [texts + 1]; the ids of text i are `ids[starts[i]:starts[i + 1]]`.
    """

    ids: Ids
    starts: NDArray[np.int64]


def read(tokenizer: Tokenizer, texts: Sequence[str], dtype: DTypeLike = np.int64) -> EncodedTexts:
    """Return each text's token ids, without special tokens; slower than `CachedTokenizer.read`, with the same result.

    Args:
        tokenizer: the tokenizer.
        texts: the texts.
        dtype: dtype of the token ids.
    """
    sequences = tokenizer.ids(texts, special=False)
    ids = np.concatenate([np.zeros(0, np.int64), *sequences]).astype(dtype)
    return EncodedTexts(ids, starts_of(np.array([len(sequence) for sequence in sequences], dtype=np.int64)))


def read_words(tokenizer: Tokenizer, words: Sequence[str]) -> EncodedTexts:
    """Return the token ids of each word, as `read` returns them, for a tokenizer that splits texts at spaces.

    Many words are joined to one text and encoded by a single call, as one call for each word would be slower. The
    tokenizer tells which word each token belongs to.
    """
    ids, sizes = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, len(words), _WORDS_PER_CALL):
        batch = words[start : start + _WORDS_PER_CALL]
        (tokens,) = tokenizer.encode_words([batch])
        inside = tokens.words >= 0
        ids.append(tokens.ids[inside])
        sizes.append(np.bincount(tokens.words[inside], minlength=len(batch)))
    return EncodedTexts(np.concatenate(ids), starts_of(np.concatenate(sizes)))


def splits_at_spaces(tokenizer: Tokenizer) -> bool:
    """Return whether texts can be tokenized word by word: no token or rule of the tokenizer reaches across a space.

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


def split_at_spaces(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Split texts at spaces; return (words of all texts, number of words of each text, int64 [texts]).

    Between two consecutive spaces there is an empty word.
    """
    words = " ".join(texts).split(" ") if texts else []
    return words, np.array([text.count(" ") + 1 for text in texts], dtype=np.int64)


class _Memory:
    """The cached words and their token ids; words are only added, never removed.

    Attributes:
        rows: word -> its index among the words of `encoded`.
        encoded: the token ids of each word.
        characters: number of characters in all words.
    """

    def __init__(self, dtype: DTypeLike) -> None:
        self.rows: dict[str, int] = {}
        self.encoded = EncodedTexts(np.zeros(0, dtype), np.zeros(1, np.int64))
        self.characters = 0

    def add(self, words: Sequence[str], encoded: EncodedTexts) -> None:
        """Add words and their token ids; words that another thread added meanwhile stay as they are."""
        if not self.rows.keys().isdisjoint(words):
            new = [index for index, word in enumerate(words) if word not in self.rows]
            words, encoded = [words[index] for index in new], _select(encoded, np.array(new, dtype=np.int64))
        ids = encoded.ids.astype(self.encoded.ids.dtype)
        starts = np.concatenate([self.encoded.starts, encoded.starts[1:] + len(self.encoded.ids)])
        self.encoded = EncodedTexts(np.concatenate([self.encoded.ids, ids]), starts)
        self.rows.update(zip(words, count(len(self.rows))))
        self.characters += sum(map(len, words))


class CachedTokenizer:
    """A tokenizer with a cache, so that each distinct word is encoded once; the results are the same as without it.

    Only tokenizers that split texts into words can be wrapped. Several threads may call it at the same time.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        most: int = MOST_CHARACTERS,
        *,
        split: Split = split_at_spaces,
        dtype: DTypeLike = np.int64,
    ) -> None:
        """Wrap a tokenizer.

        Args:
            tokenizer: encodes the words.
            most: number of characters; the cache is emptied once its words have more.
            split: cuts texts into words whose ids do not depend on their neighbours.
            dtype: dtype of the token ids.
        """
        self._tokenizer, self._most, self._split, self._dtype = tokenizer, most, split, dtype
        self._memory, self._lock = _Memory(dtype), Lock()

    def read(self, texts: Sequence[str]) -> EncodedTexts:
        """Return the token ids of each text, without special tokens, as the tokenizer returns them without the cache.

        Words enter the cache only after they were tokenized, so that an error leaves the cache as it was. Threads do
        not wait for each other while the tokenizer works.
        """
        words, counts = self._split(texts)
        memory = self._memory  # another thread may replace it meanwhile; this call keeps its own
        rows = np.fromiter(map(memory.rows.get, words, repeat(-1)), np.int64, len(words))
        if missing := np.flatnonzero(rows < 0).tolist():
            unread = list(dict.fromkeys(words[index] for index in missing))
            encoded = read_words(self._tokenizer, unread)
            with self._lock:
                memory.add(unread, encoded)
                if memory is self._memory and memory.characters > self._most:
                    self._memory = _Memory(self._dtype)
            rows[missing] = [memory.rows[words[index]] for index in missing]
        ids, starts = _select(memory.encoded, rows)
        return EncodedTexts(ids, starts[starts_of(counts)])


def _select(encoded: EncodedTexts, rows: NDArray[np.int64]) -> EncodedTexts:
    """Return the token ids of some of the encoded words, in the order of `rows`, the indices of the words."""
    sizes = np.diff(encoded.starts)[rows]
    return EncodedTexts(encoded.ids[ranges(encoded.starts[rows], sizes)], starts_of(sizes))


def store_type(tokenizer: Tokenizer) -> np.dtype[np.unsignedinteger]:
    """Return the dtype of the token ids in a token store for a tokenizer: uint16 if its vocabulary fits, else uint32.

    The dtype is little-endian on every machine.
    """
    return np.dtype("<u2" if tokenizer.vocab_size <= 1 << 16 else "<u4")


class SentenceTokenizer:
    """A tokenizer of the sentences of a corpus, which caches the ids of words where that leaves the result unchanged.

    If the token ids of a word do not depend on its neighbours, each distinct word is encoded once; otherwise every
    sentence is encoded whole. In both cases the token ids equal `Tokenizer.literal().ids(sentences, special=False)`.
    """

    def __init__(self, tokenizer: Tokenizer, most: int = _MOST_OF_CORPUS) -> None:
        self.tokenizer, self.dtype = tokenizer.literal(), store_type(tokenizer)
        split = partial(split_at_punctuation, lower=self.tokenizer.lowercase)
        self._cached = CachedTokenizer(self.tokenizer, most, split=split, dtype=self.dtype)

    def read(self, sentences: Sequence[str]) -> EncodedTexts:
        """Return the token ids of each sentence, without special tokens."""
        if self.tokenizer.is_word_local and not _BLANKS_TO_PYTHON_ONLY.search("".join(sentences)):
            return self._cached.read(sentences)
        return read(self.tokenizer, sentences, self.dtype)


def split_at_punctuation(texts: Sequence[str], *, lower: bool) -> tuple[list[str], NDArray[np.int64]]:
    """Split texts at spaces and around ASCII punctuation marks; return (words and marks, their number in each text).

    The numbers are int64 [texts]. A cache of distinct words is a third as large as it would be if marks stayed attached
    to words.

    Args:
        texts: any number of texts.
        lower: whether to lower-case ASCII texts; texts with other characters are left for the tokenizer to lower-case.
    """
    plain = _space_punctuation([text for text in texts if text.isascii()], lower=lower)
    other = _space_punctuation([text for text in texts if not text.isascii()], lower=False)
    words, counts = list[str](), []
    for text in texts:
        parts = next(plain if text.isascii() else other).split()
        words += parts
        counts.append(len(parts))
    return words, np.array(counts, dtype=np.int64)


def _space_punctuation(texts: list[str], *, lower: bool) -> Iterator[str]:
    joined = "\n".join(text.replace("\n", " ") for text in texts)
    if lower:
        joined = joined.lower()
    for mark in string.punctuation:
        if mark in joined:
            joined = joined.replace(mark, f" {mark} ")
    return iter(joined.split("\n"))
