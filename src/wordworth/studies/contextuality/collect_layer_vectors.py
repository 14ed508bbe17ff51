"""Encode the sentences once with a model, summing up vectors and storing a sample of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.intra_sentence import IntraSentenceSimilarity, from_totals
from wordworth.measures.geometry.running_sums import GroupSums, Lengths, Membership, VectorSample, units_and_lengths
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.progress import Progress
from wordworth.studies.contextuality.sampling_plan import Occurrences, SamplingPlan
from wordworth.studies.word_vectors_by_layer import LayerReader, StaticLayers

_AT_ONCE = 16
"""The number of sentences that a thread reads at a time: their states in all layers take the most memory."""


@dataclass(frozen=True, slots=True)
class CollectedLayers:
    """The self-similarities and the stored vectors of one model, in every layer.

    Self-similarity is the mean cosine between two occurrences of the same word.

    Attributes:
        words: float64 [words, layers], self-similarity of each word.
        null: float64 [sampled, layers], for each sampled word the mean cosine between random occurrences of any words,
            as many as in `SamplingPlan.null`.
        repeated: float64 [sampled, layers], self-similarity of each sampled word if repeated sentences are not removed.
        set_vectors: float32 [layers, occurrences, d], vectors of the occurrences in `SamplingPlan.sets`.
        pool: float32 [layers, pool, d], vectors of the occurrences in `SamplingPlan.pool`.
        plotted_vectors: float32 [layers, plotted, d], vectors of the occurrences in `SamplingPlan.explorer_only`.
        sentences: intra-sentence similarities of the sentences in `SamplingPlan.sentences`, float64 [sentences, layers]
            each.
        lengths: means and standard deviations of the lengths (norms) of the vectors, for first units (words or
            subwords) of sentences and for all other units.
    """

    words: Floats
    null: Floats
    repeated: Floats
    set_vectors: NDArray[np.float32]
    pool: NDArray[np.float32]
    plotted_vectors: NDArray[np.float32]
    sentences: IntraSentenceSimilarity
    lengths: Lengths


class _Accumulator:
    """An accumulator of sums and samples, block by block of occurrences."""

    def __init__(self, plan: SamplingPlan, layers: int, width: int) -> None:
        self.members = (plan.members, plan.null, plan.repeated)
        self.sums = GroupSums(Membership.joined(self.members), layers, width)
        self.samples = [VectorSample(chosen, layers, width) for chosen in (plan.sets[1], plan.pool, plan.explorer_only)]
        self.lengths, self.similarities = Lengths(layers, 2), list[tuple[Floats, Floats]]()
        self.wanted = plan.sentences

    def add(self, start: int, vectors: NDArray[np.float32], stream: Occurrences) -> None:
        """Add the vectors of a block of occurrences, which holds whole sentences.

        Args:
            start: index of the block's first occurrence in `stream`.
            vectors: float32 [layers, occurrences of the block, d].
            stream: all occurrences.
        """
        stop = start + vectors.shape[1]
        if start == stop:
            return
        for sample in self.samples:
            sample.add(start, vectors)
        membership = _sentence_membership(stream.sentence[start:stop], self.wanted)
        lengths, similarities = list[Floats](), list[IntraSentenceSimilarity]()
        self.sums.add(start, stop, self._units(vectors, membership, lengths, similarities))
        self.lengths.add(np.stack(lengths), stream.first[start:stop].astype(np.int64))
        self.similarities.append(
            (np.stack([a.to_mean for a in similarities], 1), np.stack([a.between for a in similarities], 1))
        )

    @staticmethod
    def _units(
        vectors: NDArray[np.float32],
        membership: csr_matrix,
        lengths: list[Floats],
        similarities: list[IntraSentenceSimilarity],
    ) -> Iterator[Floats]:
        """Yield each layer's vectors scaled to length 1; append the layer's lengths and similarities to the lists.

        Args:
            vectors: float32 [layers, occurrences, d].
            membership: [sentences, occurrences], 1 where an occurrence is in a sentence.
            lengths: receives the lengths of each layer's vectors, float64 [occurrences].
            similarities: receives the intra-sentence similarities of each layer.
        """
        counts = np.diff(membership.indptr)
        for layer in vectors:
            units, long = units_and_lengths(layer)
            lengths.append(long)
            similarities.append(from_totals(membership @ floats(layer), membership @ units, counts))
            yield units

    def self_similarity(self) -> tuple[Floats, Floats, Floats]:
        """Return the self-similarities `words`, `null` and `repeated` of `CollectedLayers`."""
        ends = np.cumsum([members.number for members in self.members])
        words, null, repeated = np.split(self.sums.self_similarity(), ends[:-1])
        return words, null, repeated


def _sentence_membership(sentence: Integers, wanted: Integers) -> csr_matrix:
    """Return the matrix [sentences, occurrences] that is 1 where an occurrence is in a sentence, for wanted sentences.

    Args:
        sentence: int64 [occurrences], the index of the sentence of each occurrence of a block, ascending.
        wanted: int64, the indices of the wanted sentences, ascending.
    """
    near = wanted[slice(*np.searchsorted(wanted, (sentence[0], sentence[-1] + 1)))]
    inside = np.flatnonzero(np.isin(sentence, near))
    starts = np.flatnonzero(np.diff(sentence[inside], prepend=-1, append=-1)) if len(inside) else np.zeros(1, np.int64)
    return csr_matrix((np.ones(len(inside)), inside, starts), shape=(len(starts) - 1, len(sentence)))


def collect(
    model: LayerReader, texts: tuple[str, ...], stream: Occurrences, plan: SamplingPlan, progress: Progress
) -> CollectedLayers:
    """Encode all sentences once, and return the self-similarities and vectors that a sampling plan asks for.

    Args:
        model: computes the vectors.
        texts: the sentences.
        stream: the occurrences in the sentences.
        plan: the words and samples to collect.
        progress: receives progress.
    """
    accumulator = _Accumulator(plan, model.layers, model.width)
    start = 0
    with progress.step(f"reading with {model.name}", len(texts)) as step:
        for number, vectors in _blocks(model, texts, stream):
            accumulator.add(start, vectors, stream)
            start += vectors.shape[1]
            step.advance(number)
    similarities = IntraSentenceSimilarity(
        np.concatenate([a for a, _ in accumulator.similarities]),
        np.concatenate([b for _, b in accumulator.similarities]),
    )
    set_vectors, pool, plotted = (sample.vectors for sample in accumulator.samples)
    return CollectedLayers(
        *accumulator.self_similarity(), set_vectors, pool, plotted, similarities, accumulator.lengths
    )


def _blocks(
    model: LayerReader, texts: tuple[str, ...], stream: Occurrences
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield for each block of texts their number and the vectors of their occurrences; blocks are encoded in parallel.

    The vectors are float32 [layers, occurrences, d].
    """
    ends = np.concatenate([[0], np.cumsum(stream.units)])

    def read(begin: int) -> tuple[int, NDArray[np.float32]]:
        block = list(texts[begin : begin + _AT_ONCE])
        counted = stream.is_counted[ends[begin] : ends[begin + len(block)]]
        return len(block), model.vectors(block)[:, counted]

    begins = range(0, len(texts), _AT_ONCE)
    if isinstance(model, StaticLayers):  # which needs no torch
        return map(read, begins)
    from wordworth.models.parallel_map import parallel_map

    return parallel_map(read, begins)
