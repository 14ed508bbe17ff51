"""Words as sequences of characters for ELMo: their UTF-8 bytes between two marks, padded to a fixed length.

Peters et al. 2018 (arXiv 1802.05365), section 3.1. The ids are the ids of allenai/bilm-tf (`UnicodeCharsVocabulary`)
plus one, a shift by which its data readers leave id 0 for padding words. Packed batches have no padding words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.text.tokens import Tokens, require_texts
from wordworth.text.word_boundaries import Span, joined_spans, words

LENGTH = 50
"""Number of characters of a word, including its two marks and the padding."""
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


def character_ids(word: str) -> Characters:
    """Return the character ids of a word, int64 [50]: a begin mark, up to 48 bytes, an end mark and padding.

    Lone surrogates have no bytes and are left out.

    >>> character_ids("A")[:5].tolist()
    [259, 66, 260, 261, 261]
    """
    return _with_word_marks(np.frombuffer(word.encode("utf-8", "ignore")[:BYTES], dtype=np.uint8).astype(np.int64) + 1)


def boundary(mark: int) -> Characters:
    """Return the character ids, int64 [50], of the pseudo-word that stands before or after every sentence.

    Args:
        mark: the id of the pseudo-word's only character: begin or end of sentence.
    """
    return _with_word_marks(np.array([mark], dtype=np.int64))


class CharacterTokenizer:
    """A tokenizer that splits a text into words, and encodes each word as the ids of its characters (UTF-8 bytes).

    The ids of a text of t tokens are int64 [t, 50]. Every text or sentence stands between `<S>` and `</S>`. There is no
    word vocabulary, hence no unknown word.
    """

    prefix = 1
    suffix = 1
    vocab_size = FILLING + 1
    lowercase = False
    has_capitals = True

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """Return the words of each text, or of each pair of texts read as two sentences, with their character ids.

        Raises:
            BadInput: an item of `texts` is not a string, or `second` has another length.
        """
        first = [(text, words(text)) for text in require_texts(texts)]
        if second is None:
            return [_sentence(*sentence) for sentence in first]
        other = [(text, words(text)) for text in require_texts(second)]
        if len(first) != len(other):
            raise BadInput(f"{len(first)} first texts but {len(other)} second texts", mend="give one for each")
        return [
            _join(_sentence(*sentence), _sentence(*follower)) for sentence, follower in zip(first, other, strict=True)
        ]

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """Return the tokens of sentences that are already split into words.

        `Tokens.offsets` count characters in the text of the words joined by single spaces.

        Raises:
            BadInput: a word is not a string.
        """
        sentence_words = [require_texts(sentence) for sentence in sentences]
        return [_tokens(each, joined_spans(each)) for each in sentence_words]

    def ids(
        self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True
    ) -> list[Characters]:
        """Return only the character ids of each text, int64 [tokens, 50].

        Args:
            texts: any number of texts.
            second: the second text of each pair; None for single texts.
            special: whether to keep `<S>` and `</S>`.

        Raises:
            BadInput: an item of `texts` is not a string, or `second` has another length.
        """
        sequences = self.encode(texts, second)
        return [tokens.ids if special else tokens.ids[tokens.words >= 0] for tokens in sequences]

    def token(self, index: int) -> str:
        """Return the character with an id: a byte, decoded as Latin-1, or the name of a special character.

        Args:
            index: the id.

        Raises:
            BadInput: no character has this id.
        """
        if not 0 <= index < self.vocab_size:
            raise BadInput(f"no character has the id {index}", mend=f"ids run from 0 to {self.vocab_size - 1}")
        return _NAMES.get(index) or chr(index - 1)

    def tokens(self, ids: Characters) -> list[str]:
        """Return the words that character ids, int64 [tokens, 50], stand for, each cut to its first 48 bytes."""
        return [_decode(row[1:-1][row[1:-1] < END_WORD]) for row in ids]

    @cached_property
    def vocabulary(self) -> Mapping[str, int]:
        """The id of each character, special characters included, by its name."""
        return {self.token(index): index for index in range(self.vocab_size)}

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """The tokens that stand at the beginning and at the end of a sentence, by their roles `bos` and `eos`."""
        return {"bos": _NAMES[BEGIN_SENTENCE], "eos": _NAMES[END_SENTENCE]}

    @property
    def special_ids(self) -> dict[str, int]:
        """The ids of the tokens at the beginning and at the end of a sentence, by their roles `bos` and `eos`."""
        return {"bos": BEGIN_SENTENCE, "eos": END_SENTENCE}

    @property
    def fingerprint(self) -> str:
        """A hash of 32 hexadecimal digits, the same for every `CharacterTokenizer`."""
        return content_key(self.to_json())

    def to_json(self) -> str:
        """Return the text of a `tokenizer.json` that tells people which tokenizer this is; no program reads it."""
        return json.dumps({"type": "characters", "bytes": BYTES, "length": LENGTH}) + "\n"


def _with_word_marks(inner: Characters) -> Characters:
    row: Characters = np.full(LENGTH, FILLING, dtype=np.int64)
    row[0], row[1 : len(inner) + 1], row[len(inner) + 1] = BEGIN_WORD, inner, END_WORD
    return row


def _decode(inner: Characters) -> str:
    if len(inner) == 1 and inner[0] in _NAMES:
        return _NAMES[int(inner[0])]
    return (inner - 1).astype(np.uint8).tobytes().decode("utf-8", "replace")


_EDGES = boundary(BEGIN_SENTENCE), boundary(END_SENTENCE)


def _sentence(text: str, spans: list[Span]) -> Tokens:
    return _tokens([text[start:end] for start, end in spans], spans)


def _tokens(sentence_words: Sequence[str], spans: list[Span]) -> Tokens:
    """Return the tokens of one sentence from its words and their spans."""
    offsets = np.array([(0, 0), *spans, (0, 0)], dtype=np.int32)
    numbers = np.array([-1, *range(len(sentence_words)), -1], dtype=np.int32)
    ids = np.stack([_EDGES[0], *map(character_ids, sentence_words), _EDGES[1]])
    return Tokens(ids=ids, segments=np.zeros(len(ids), np.int64), offsets=offsets, words=numbers)


def _join(first: Tokens, second: Tokens) -> Tokens:
    after = np.where(second.words >= 0, second.words + first.words.max(initial=-1) + 1, -1)
    return Tokens(
        ids=np.concatenate([first.ids, second.ids]),
        segments=np.concatenate([first.segments, second.segments]),
        offsets=np.concatenate([first.offsets, second.offsets]),
        words=np.concatenate([first.words, after.astype(np.int32)]),
    )
