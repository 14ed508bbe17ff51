"""Vectors of words as inputs of parsers: an encoder's states in every layer, or the spelling and position of words."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import FeatureHasher

from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import STILL
from wordworth.representations.tagging_features import features
from wordworth.studies.languages.parsing.treebanks_by_language import ParsedLanguages
from wordworth.studies.syntax.treebank_word_vectors import WordVectors, read_vectors

SPELLING, PLACE = 1024, 64
"""Number of columns of a word's spelling, and of its place in the sentence."""
_LONGEST_WAVE = 10_000.0


class ParserInput(Protocol):
    """Vectors of words, for the training and test sentences of several languages."""

    def of(self, language: int, *, test: bool) -> WordVectors:
        """Return the vectors of a language's test sentences if `test`, else of its training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences.
        """


class EncoderVectors:
    """The states of an encoder in every layer; a word's state is the mean of its pieces' states.

    Args:
        encoder: the frozen encoder.
        data: the sentences of all languages.
    """

    def __init__(self, encoder: TextEncoder, data: ParsedLanguages) -> None:
        self.encoder, self.data = encoder, data
        self._tests: dict[int, WordVectors] = {}

    def of(self, language: int, *, test: bool) -> WordVectors:
        """Return the states of a language's test sentences if `test`, else of its training sentences.

        The states of test sentences are kept in memory, as the parsers of all training languages read them.

        Args:
            language: index of the language.
            test: True for the test sentences.
        """
        if not test:
            return self._read(language, test=False)
        if language not in self._tests:
            self._tests[language] = self._read(language, test=True)
        return self._tests[language]

    def _read(self, language: int, *, test: bool) -> WordVectors:
        words = [sentence.words for sentence in self.data.part(language, test=test)]
        return read_vectors(self.encoder, words, STILL)


class SpellingVectors:
    """Vectors of words that need no model: the spelling of a word and its neighbours, and its position.

    Words, affixes and shapes are hashed to `SPELLING` columns with signs (Weinberger et al. 2009); the position of the
    word in its sentence is encoded as `PLACE` sines and cosines (Vaswani et al. 2017, section 3.5). The vectors have a
    single layer.

    Args:
        data: the sentences of all languages.
    """

    def __init__(self, data: ParsedLanguages) -> None:
        self.data = data

    def of(self, language: int, *, test: bool) -> WordVectors:
        """Return the vectors of a language's test sentences if `test`, else of its training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences.
        """
        sentences = self.data.part(language, test=test)
        hasher = FeatureHasher(SPELLING, input_type="string", dtype=np.float32)
        spelling = hasher.transform([word for each in sentences for word in features(each.words)]).toarray()
        positions = np.concatenate([positional_encoding(len(each)) for each in sentences])
        ends = np.cumsum([0, *map(len, sentences)])
        return WordVectors(np.concatenate([spelling, positions], 1).astype(np.float16)[None], ends)


def positional_encoding(words: int) -> NDArray[np.float64]:
    """Return sines and cosines of the position of each word in a sentence, float64 [words, PLACE]."""
    rates = _LONGEST_WAVE ** (-np.arange(0, PLACE, 2) / PLACE)
    angles = np.arange(words)[:, None] * rates
    return np.concatenate([np.sin(angles), np.cos(angles)], 1)
