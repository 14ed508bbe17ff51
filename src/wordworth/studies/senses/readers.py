"""Readers turn sentences, given as words, into the words' vectors by layer, for encoders and static tables alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers
from wordworth.models.load import load
from wordworth.models.static_embeddings import StaticTable
from wordworth.studies.layer_reader import EncoderLayers, LayerReader, Pooling, StaticLayers

Sentence = Sequence[str]


class Reader(LayerReader, Protocol):
    """A model as this study uses it."""

    def vectors(self, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """Return the vectors of every word of every sentence, float32 [layers, words, d]; zeros for unknown words."""
        ...


def reader(model: str, pooling: Pooling) -> Reader:
    """Open a model.

    Raises:
        BadInput: there is no model of that name, or its files are damaged.
    """
    loaded = load(model, kept=True)
    return TableGivenWords(loaded) if isinstance(loaded, StaticTable) else EncoderGivenWords(loaded, pooling)


@dataclass(frozen=True, slots=True)
class EncoderGivenWords(EncoderLayers):
    """An encoder; a word's vector pools the states of its subwords."""

    pooling: Pooling

    def vectors(self, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """Return the pooled states of every word in every layer, float32 [layers, words, d]."""
        return self.encoder.word_states(sentences, pooling=self.pooling).values


class TableGivenWords(StaticLayers):
    """A static table; a word has the same vector in every context."""

    def vectors(self, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """Return each word's vector, float32 [1, words, d]; zeros for words that the table does not have."""
        return self.table.word_vectors([word for sentence in sentences for word in sentence])[0][None]


def spans_of(
    model: Reader, sentences: Sequence[Sentence], spans: Iterable[tuple[int, int, int]]
) -> NDArray[np.float32]:
    """Return the mean vector of each span of words, float32 [spans, layers, d].

    Args:
        model: reads the sentences.
        sentences: the sentences, read together.
        spans: (index of the sentence, first word, word after the last).
    """
    values = model.vectors(sentences)
    offset: Integers = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    ends = np.array([(offset[sentence] + start, offset[sentence] + stop) for sentence, start, stop in spans])
    vectors = values[:, ends[:, 0]].transpose(1, 0, 2).copy()
    for row in np.flatnonzero(ends[:, 1] - ends[:, 0] > 1):
        vectors[row] = values[:, ends[row, 0] : ends[row, 1]].mean(axis=1)
    return vectors
