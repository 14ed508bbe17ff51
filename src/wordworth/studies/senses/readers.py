"""From sentences of given words to the words' vectors by layer, for encoders and static tables alike."""

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
    """A model as this study sees it."""

    def vectors(self, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """float32 [layers, words, d]: every word of every sentence; zeros for one that it has no vector of."""
        ...


def reader(model: str, pooling: Pooling) -> Reader:
    """The model, opened.

    Raises:
        BadInput: nothing has that name, or its files are damaged.
    """
    loaded = load(model, kept=True)
    return TableGivenWords(loaded) if isinstance(loaded, StaticTable) else EncoderGivenWords(loaded, pooling)


@dataclass(frozen=True, slots=True)
class EncoderGivenWords(EncoderLayers):
    """A word is its pieces pooled."""

    pooling: Pooling

    def vectors(self, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """Pooled states of every word under every layer."""
        return self.encoder.word_states(sentences, pooling=self.pooling).values


class TableGivenWords(StaticLayers):
    """A word is its vector, whatever stands around it."""

    def vectors(self, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """Each word's vector; zeros for one that the table does not have."""
        return self.table.word_vectors([word for sentence in sentences for word in sentence])[0][None]


def spans_of(
    model: Reader, sentences: Sequence[Sentence], spans: Iterable[tuple[int, int, int]]
) -> NDArray[np.float32]:
    """float32 [spans, layers, d]: the mean vector of the words from `start` to before `stop` of a sentence.

    Args:
        model: who reads.
        sentences: read together.
        spans: (place among these sentences, start, stop).
    """
    values = model.vectors(sentences)
    offset: Integers = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    places = np.array([(offset[sentence] + start, offset[sentence] + stop) for sentence, start, stop in spans])
    found = values[:, places[:, 0]].transpose(1, 0, 2).copy()
    for row in np.flatnonzero(places[:, 1] - places[:, 0] > 1):
        found[row] = values[:, places[row, 0] : places[row, 1]].mean(axis=1)
    return found
