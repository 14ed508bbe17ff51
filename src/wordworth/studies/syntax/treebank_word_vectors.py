"""`WordVectors`: the vectors of every word in every layer of a model, computed once for the training of all probes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.weighted_sums import Integers
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.training.probes.scratch_array import scratch_array

Vectors = NDArray[np.floating]
_AT_ONCE = 128
"""Number of sentences that are encoded at a time."""


@dataclass(frozen=True, slots=True)
class WordVectors:
    """The vectors of the words of all sentences, by layer.

    Attributes:
        flat: float16 [layers, words, width], all sentences end to end; layer 0 is the input layer.
        ends: int64 [sentences + 1], index in `flat` of each sentence's first word; the last value is the number of
            words.
    """

    flat: NDArray[np.float16]
    ends: Integers

    @property
    def layers(self) -> int:
        """The number of layers, the input layer included."""
        return len(self.flat)

    @property
    def width(self) -> int:
        """The number of components of a word's vector."""
        return int(self.flat.shape[2])

    def layer(self, number: int, training: Integers) -> list[Vectors]:
        """Return the vectors of each sentence's words in a layer, float32 [words, width], scaled to a mean square of 1.

        The scaling lets one learning rate fit all layers and models.

        Args:
            number: the number of the layer; 0 is the input layer.
            training: int64 [n], indices of the sentences over which the mean square is computed.
        """
        values = self.flat[number].astype(np.float32)
        sentences = [values[start:end] for start, end in zip(self.ends[:-1], self.ends[1:], strict=True)]
        values /= _size([sentences[row] for row in training])
        return list(sentences)

    def first_layer(self) -> WordVectors:
        """Return the word vectors of the input layer alone."""
        return WordVectors(self.flat[:1], self.ends)

    def sentence(self, row: int) -> NDArray[np.float16]:
        """Return the vectors of a sentence's words in every layer, float16 [words, layers, width].

        Args:
            row: index of the sentence.
        """
        return self.flat[:, self.ends[row] : self.ends[row + 1]].transpose(1, 0, 2)

    def sizes(self, training: Integers) -> NDArray[np.float32]:
        """Return the root mean square of the vectors' components in each layer, float32 [layers].

        Args:
            training: int64 [sentences], indices of the sentences whose vectors are used.
        """
        sentences = [self.sentence(row).astype(np.float32) for row in training]
        return np.array([_size([each[:, layer] for each in sentences]) for layer in range(self.layers)], np.float32)


def read_vectors(encoder: TextEncoder, sentences: Sequence[Sequence[str]], step: Step) -> WordVectors:
    """Return the vectors of the words of sentences; a word's vector is the mean of its tokens' states in each layer.

    Hewitt and Manning (2019) do the same.

    Args:
        encoder: the encoder.
        sentences: the words of each sentence.
        step: progress step, advanced after each sentence.
    """
    ends = np.cumsum([0, *map(len, sentences)])
    flat = scratch_array((encoder.depth + 1, int(ends[-1]), encoder.model.width))
    for start in range(0, len(sentences), _AT_ONCE):
        block = sentences[start : start + _AT_ONCE]
        states = encoder.word_states(block, pooling="mean")
        flat[:, ends[start] : ends[start + len(block)]] = states.values
        step.advance(len(block))
    return WordVectors(flat, ends)


def _size(sentences: Sequence[Vectors]) -> float:
    """Return the root mean square of vectors; 1 if all of them are 0."""
    return float(np.sqrt(np.mean(np.square(np.concatenate(sentences))))) or 1.0


def shuffled(sentences: Sequence[Vectors], seed: int) -> list[Vectors]:
    """Return the vectors of each sentence in a random order of its words, as a control without word order.

    Args:
        sentences: vectors of each sentence, [words, width].
        seed: seed of the random orders.
    """
    rng = seeds.child(seed, "syntax", "shuffled")
    return [vectors[rng.permutation(len(vectors))] for vectors in sentences]
