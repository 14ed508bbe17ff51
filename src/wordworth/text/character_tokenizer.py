"""Words as the characters that ELMo reads: the bytes of their UTF-8, framed and filled up to one length.

Peters et al. 2018 (arXiv 1802.05365), section 3.1; ids as in allenai/bilm-tf (`UnicodeCharsVocabulary`), each one
higher, as its readers have them: 0 stays free for padding between words, which packed batches never need.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.text.encoding import Tokens
from wordworth.text.validation import require_texts
from wordworth.text.word_boundaries import Span, words

LENGTH = 50
"""Characters of a word, its two marks and what fills it up included."""
BYTES = LENGTH - 2
BEGIN_SENTENCE, END_SENTENCE, BEGIN_WORD, END_WORD, FILLING = range(257, 262)
_NAMES = {
    0: "<none>",
    BEGIN_SENTENCE: "<S>",
    END_SENTENCE: "</S>",
    BEGIN_WORD: "<W>",
    END_WORD: "</W>",
    FILLING: "<pad>",
}

Characters = NDArray[np.int64]


def spelled(word: str) -> Characters:
    """int64 [50]: begin, the first 48 bytes of the word, end, filling. Lone surrogates have no bytes and are left out.

    >>> spelled("A")[:5].tolist()
    [259, 66, 260, 261, 261]
    """
    return _framed(np.frombuffer(word.encode("utf-8", "ignore")[:BYTES], dtype=np.uint8).astype(np.int64) + 1)


def boundary(mark: int) -> Characters:
    """int64 [50]: the word of one character that begins or ends every sentence."""
    return _framed(np.array([mark], dtype=np.int64))


class CharacterTokenizer:
    """Reads texts word by word; a token's ids are the characters of its word, int64 [50], so a text's are [t, 50].

    Every text or sentence stands between `<S>` and `</S>`. It has no vocabulary of words and knows no unknown one.
    """

    prefix = 1
    suffix = 1
    vocab_size = FILLING + 1
    lowercase = False
    has_capitals = True

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """The words of each text, or of each pair of texts, which are two sentences; fields as `Tokens` has them.

        Raises:
            BadInput: something in `texts` is not text, or `second` has another length.
        """
        first = [(text, words(text)) for text in require_texts(texts)]
        if second is None:
            return [_sentence(*one) for one in first]
        other = [(text, words(text)) for text in require_texts(second)]
        if len(first) != len(other):
            raise BadInput(f"{len(first)} first texts but {len(other)} second texts", mend="give one for each")
        return [_joined(_sentence(*one), _sentence(*two)) for one, two in zip(first, other, strict=True)]

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """Sentences whose words are given; `offsets` count characters in the words joined by single spaces.

        Raises:
            BadInput: a word is not text.
        """
        return [_tokens(require_texts(sentence), None) for sentence in sentences]

    def ids(
        self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True
    ) -> list[Characters]:
        """The ids alone, int64 [t, 50] a text.

        Args:
            texts: any number of texts.
            second: the second text of each pair.
            special: whether to keep `<S>` and `</S>`.

        Raises:
            BadInput: as `encode`.
        """
        found = self.encode(texts, second)
        return [tokens.ids if special else tokens.ids[tokens.words >= 0] for tokens in found]

    def token(self, index: int) -> str:
        """The character behind an id: a byte as Latin-1 shows it, or a mark.

        Raises:
            BadInput: there is none.
        """
        if not 0 <= index < self.vocab_size:
            raise BadInput(f"no character has the id {index}", mend=f"ids run from 0 to {self.vocab_size - 1}")
        return _NAMES.get(index) or chr(index - 1)

    def tokens(self, ids: Characters) -> list[str]:
        """The words behind ids [t, 50], as far as their bytes were kept."""
        return [_written(row[1:-1][row[1:-1] < END_WORD]) for row in ids]

    @cached_property
    def pieces(self) -> Mapping[str, int]:
        """Every character and its id."""
        return {self.token(index): index for index in range(self.vocab_size)}

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """The marks that stand around a sentence."""
        return {"bos": _NAMES[BEGIN_SENTENCE], "eos": _NAMES[END_SENTENCE]}

    @property
    def special_ids(self) -> dict[str, int]:
        """Their characters."""
        return {"bos": BEGIN_SENTENCE, "eos": END_SENTENCE}

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits; every tokenizer of this kind is alike."""
        return content_key(self.to_json())

    def to_json(self) -> str:
        """What stands in a `tokenizer.json`; only for people, since there is nothing to choose."""
        return json.dumps({"type": "characters", "bytes": BYTES, "length": LENGTH}) + "\n"


def _framed(inner: Characters) -> Characters:
    row: Characters = np.full(LENGTH, FILLING, dtype=np.int64)
    row[0], row[1 : len(inner) + 1], row[len(inner) + 1] = BEGIN_WORD, inner, END_WORD
    return row


def _written(inner: Characters) -> str:
    if len(inner) == 1 and inner[0] in _NAMES:
        return _NAMES[int(inner[0])]
    return (inner - 1).astype(np.uint8).tobytes().decode("utf-8", "replace")


_EDGES = boundary(BEGIN_SENTENCE), boundary(END_SENTENCE)


def _sentence(text: str, spans: list[Span]) -> Tokens:
    return _tokens([text[start:end] for start, end in spans], spans)


def _tokens(found: Sequence[str], spans: list[Span] | None) -> Tokens:
    """The tokens of one sentence; without spans, its words stand a blank apart."""
    if spans is None:
        ends = np.cumsum([len(word) + 1 for word in found]) - 1
        spans = [(int(end) - len(word), int(end)) for word, end in zip(found, ends, strict=True)]
    offsets = np.array([(0, 0), *spans, (0, 0)], dtype=np.int32)
    numbers = np.array([-1, *range(len(found)), -1], dtype=np.int32)
    ids = np.stack([_EDGES[0], *map(spelled, found), _EDGES[1]])
    return Tokens(ids=ids, segments=np.zeros(len(ids), np.int64), offsets=offsets, words=numbers)


def _joined(first: Tokens, second: Tokens) -> Tokens:
    after = np.where(second.words >= 0, second.words + first.words.max(initial=-1) + 1, -1)
    return Tokens(
        ids=np.concatenate([first.ids, second.ids]),
        segments=np.concatenate([first.segments, second.segments]),
        offsets=np.concatenate([first.offsets, second.offsets]),
        words=np.concatenate([first.words, after.astype(np.int32)]),
    )
