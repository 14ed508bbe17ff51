"""Features of the words of tagged sentences: states of an encoder's layers, or spellings of a word's neighbourhood."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from wordworth.models.text_encoder import TextEncoder
from wordworth.representations.feature_blocks import Features
from wordworth.representations.rung import RunContext
from wordworth.representations.tagging_features import TagFeatures
from wordworth.studies.languages.tagging.tagged_sentences_by_language import Sentences, TaggedLanguages

VIEW = "features"


class WordFeatures(Protocol):
    """Features of words, for the training and test sentences of several languages."""

    def of(self, language: int, *, test: bool) -> Features:
        """Return the features of all words in a language's test or training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences, False for the training sentences.

        Returns:
            A row for each word, [words, width].
        """


class LayerFeatures:
    """Features of words: an encoder's state in one layer at each word's first subword.

    Args:
        encoder: the frozen encoder.
        data: the sentences of all languages.
        layer: number of the layer; 0 is the input layer.
    """

    def __init__(self, encoder: TextEncoder, data: TaggedLanguages, layer: int) -> None:
        self.encoder, self.data, self.layer = encoder, data, layer
        self._computed: dict[tuple[int, bool], Features] = {}

    def of(self, language: int, *, test: bool) -> Features:
        """Return the states of all words in a language's test or training sentences.

        The states are computed at the first call and kept in memory.

        Args:
            language: index of the language.
            test: True for the test sentences, False for the training sentences.

        Returns:
            A row for each word, float32 [words, width].
        """
        key = (language, test)
        if key not in self._computed:
            self._computed[key] = layer_states(self.encoder, self.data.part(language, test=test), [self.layer])[0]
        return self._computed[key]


def layer_states(encoder: TextEncoder, sentences: Sentences, layers: list[int]) -> np.ndarray:
    """Return the state of each word's first subword in the given layers, float32 [layers, words, width].

    Args:
        encoder: the encoder.
        sentences: the sentences.
        layers: numbers of the layers; 0 is the input layer.
    """
    return encoder.word_states(sentences.words, layers, "first").values


class SpellingFeatures:
    """Features of words that need no model: the hashed spellings, affixes and shapes of a word and its neighbours.

    Args:
        data: the sentences of all languages.
    """

    def __init__(self, data: TaggedLanguages) -> None:
        self.data = data

    def of(self, language: int, *, test: bool) -> Features:
        """Return the features of all words in a language's test or training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences, False for the training sentences.

        Returns:
            A row for each word, sparse [words, columns].
        """
        sentences = self.data.part(language, test=test)
        return TagFeatures().views(sentences.examples, RunContext())[VIEW]


def rows_of_words(sentences: Sentences, items: np.ndarray) -> np.ndarray:
    """Return the indices of the rows of a feature matrix [words, width] that belong to the words of some sentences.

    Args:
        sentences: all sentences, in the order of the matrix.
        items: int64 [items], indices of the wanted sentences.

    Returns:
        int64 [words of these sentences], sentence by sentence.
    """
    ends = np.cumsum(sentences.lengths)
    return np.concatenate([np.arange(ends[item] - sentences.lengths[item], ends[item]) for item in items])
