"""`WordsAndCodesVocabulary`: one table of ids for words of captions and, after them, codes of video, image or sound.

VideoBERT (Sun et al. 2019, arXiv 1904.01766) appends its tokens of video to BERT's table in the same way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.text.corpus.token_store import Vocabulary
from wordworth.text.word_starts import WordStarts

Numbers = NDArray[np.int64]
ROLES = ("pad", "unk", "cls", "sep", "mask", "codes")
"""Special tokens in the order of their ids; `codes` is [>], which stands between words and codes."""
PAD, UNK, CLS, SEP, MASK, CODES = range(len(ROLES))
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class WordsAndCodesVocabulary:
    """The ids of words and of codes in one vocabulary: special tokens first, then words, then codes.

    A code is the number of a cluster of video, image or sound features.

    Attributes:
        words: the words, the most frequent first.
        codes: number of possible codes.
    """

    words: tuple[str, ...]
    codes: int

    @classmethod
    def of(cls, texts: Iterable[str], codes: int, most: int) -> WordsAndCodesVocabulary:
        """Return the vocabulary of the most frequent words of captions, and of codes.

        Equally frequent words are in alphabetical order.

        Args:
            texts: the captions.
            codes: number of possible codes.
            most: maximal number of words.
        """
        counts = Counter(word for text in texts for word in words_of(text))
        return cls(tuple(sorted(counts, key=lambda word: (-counts[word], word))[:most]), codes)

    @property
    def first_code(self) -> int:
        """The id of code 0."""
        return len(ROLES) + len(self.words)

    @property
    def size(self) -> int:
        """The number of ids, which is the number of special tokens, words and codes together."""
        return self.first_code + self.codes

    def word_ids(self, texts: Sequence[str]) -> list[Numbers]:
        """Return the ids of the words of each text, one int64 array for each; an unknown word has the id of [UNK]."""
        ids = {word: number for number, word in enumerate(self.words, start=len(ROLES))}
        return [np.array([ids.get(word, UNK) for word in words_of(text)], dtype=np.int64) for text in texts]

    def code_ids(self, codes: Numbers) -> Numbers:
        """Return the ids of codes, int64 [n], from the indices of their clusters, int64 [n]."""
        return codes + self.first_code

    def arrays(self) -> Vocabulary:
        """Return the vocabulary in the form that pretraining objectives use; each id begins a word."""
        special = np.arange(self.size) < len(ROLES)
        ids = {role: number for number, role in enumerate(ROLES)}
        key = content_key("joint vocabulary", self.codes, *self.words)
        word_starts = WordStarts.of_continuations(np.zeros(self.size, dtype=np.bool_))
        return Vocabulary(self.size, ids, word_starts, special, key)


def words_of(text: str) -> list[str]:
    """Return the lower-case words and punctuation marks of a text.

    >>> words_of("Now, let me show you!")
    ['now', ',', 'let', 'me', 'show', 'you', '!']
    """
    return _WORD.findall(text.lower())
