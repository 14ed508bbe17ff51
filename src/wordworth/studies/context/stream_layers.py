"""One pass over the sentences: every vector is seen once, and what is kept of it is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.intra_sentence import Alike, from_totals
from wordworth.measures.geometry.streaming import GroupSums, Kept, Lengths, Membership, units_and_lengths
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.progress import Progress
from wordworth.studies.context.readers import Reader
from wordworth.studies.context.sampling import Occurrences, SamplingPlan
from wordworth.studies.layer_reader import StaticLayers

_AT_ONCE = 16
"""Sentences that a thread reads at a time: their states under all layers are the largest thing held."""


@dataclass(frozen=True, slots=True)
class Collected:
    """What the measures need, layer by layer.

    Attributes:
        words: float64 [words, layers], self-similarity.
        null: float64 [sampled, layers], self-similarity of as many occurrences of any words.
        repeated: float64 [sampled, layers], self-similarity with repeated sentences.
        kept: float32 [layers, kept, d], the chosen occurrences of the sampled words.
        pool: float32 [layers, pool, d], occurrences drawn alike.
        beside: float32 [layers, beside, d], occurrences that the explorer alone shows.
        sentences: of the sentences drawn, float64 [sentences, layers] each.
        lengths: of vectors, first in their sentence or not.
    """

    words: Floats
    null: Floats
    repeated: Floats
    kept: NDArray[np.float32]
    pool: NDArray[np.float32]
    beside: NDArray[np.float32]
    sentences: Alike
    lengths: Lengths


class _Accumulator:
    """What is kept, while vectors come: a layer of a block at a time, for all that is made of it."""

    def __init__(self, plan: SamplingPlan, layers: int, width: int) -> None:
        self.members = (plan.members, plan.null, plan.repeated)
        self.sums = GroupSums(Membership.joined(self.members), layers, width)
        self.kept = [Kept(chosen, layers, width) for chosen in (plan.sets[1], plan.pool, plan.explorer_only)]
        self.lengths, self.alike = Lengths(layers, 2), list[tuple[Floats, Floats]]()
        self.wanted = plan.sentences

    def add(self, start: int, vectors: NDArray[np.float32], of: Occurrences) -> None:
        """Take in a block of occurrences [layers, occurrences, d] of whole sentences."""
        stop = start + vectors.shape[1]
        if start == stop:
            return
        for kept in self.kept:
            kept.add(start, vectors)
        mine = _of_sentences(of.sentence[start:stop], self.wanted)
        lengths, alike = list[Floats](), list[Alike]()
        self.sums.add(start, stop, self._units(vectors, mine, lengths, alike))
        self.lengths.add(np.stack(lengths), of.first[start:stop].astype(np.int64))
        self.alike.append((np.stack([one.to_mean for one in alike], 1), np.stack([one.between for one in alike], 1)))

    @staticmethod
    def _units(
        vectors: NDArray[np.float32], mine: csr_matrix, lengths: list[Floats], alike: list[Alike]
    ) -> Iterator[Floats]:
        """Each layer's unit vectors; its lengths and its sentences are written down on the way."""
        counts = np.diff(mine.indptr)
        for layer in vectors:
            units, long = units_and_lengths(layer)
            lengths.append(long)
            alike.append(from_totals(mine @ floats(layer), mine @ units, counts))
            yield units

    def self_similarity(self) -> tuple[Floats, Floats, Floats]:
        """float64 [groups, layers] of each membership."""
        ends = np.cumsum([members.number for members in self.members])
        words, null, repeated = np.split(self.sums.self_similarity(), ends[:-1])
        return words, null, repeated


def _of_sentences(sentence: Integers, wanted: Integers) -> csr_matrix:
    """[sentences wanted, occurrences]: which of a block's occurrences are theirs; both stand in order."""
    near = wanted[slice(*np.searchsorted(wanted, (sentence[0], sentence[-1] + 1)))]
    mine = np.flatnonzero(np.isin(sentence, near))
    starts = np.flatnonzero(np.diff(sentence[mine], prepend=-1, append=-1)) if len(mine) else np.zeros(1, np.int64)
    return csr_matrix((np.ones(len(mine)), mine, starts), shape=(len(starts) - 1, len(sentence)))


def collect(
    model: Reader, texts: tuple[str, ...], of: Occurrences, plan: SamplingPlan, progress: Progress
) -> Collected:
    """Read all sentences once and keep what the plan says."""
    taking = _Accumulator(plan, model.layers, model.width)
    start = 0
    with progress.step(f"reading with {model.name}", len(texts)) as step:
        for number, vectors in _counted(model, texts, of):
            taking.add(start, vectors, of)
            start += vectors.shape[1]
            step.advance(number)
    alike = Alike(np.concatenate([a for a, _ in taking.alike]), np.concatenate([b for _, b in taking.alike]))
    kept, pool, beside = (kept.vectors for kept in taking.kept)
    return Collected(*taking.self_similarity(), kept, pool, beside, alike, taking.lengths)


def _counted(model: Reader, texts: tuple[str, ...], of: Occurrences) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Block by block how many texts and the vectors of their units that count; blocks are read side by side."""
    ends = np.concatenate([[0], np.cumsum(of.units)])

    def read(begin: int) -> tuple[int, NDArray[np.float32]]:
        block = list(texts[begin : begin + _AT_ONCE])
        counted = of.counted[ends[begin] : ends[begin + len(block)]]
        return len(block), model.vectors(block)[:, counted]

    begins = range(0, len(texts), _AT_ONCE)
    if isinstance(model, StaticLayers):  # which needs no torch
        return map(read, begins)
    from wordworth.models.parallel_map import side_by_side

    return side_by_side(read, begins)
