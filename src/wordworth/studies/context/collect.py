"""One pass over the sentences: every vector is seen once, and what is kept of it is bounded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.sentence import Alike, sentences
from wordworth.measures.geometry.streaming import GroupSums, Kept, Lengths, units_and_lengths
from wordworth.measures.sums import Floats
from wordworth.progress import Progress
from wordworth.studies.context.plan import Plan, Stream
from wordworth.studies.context.readers import Reader
from wordworth.studies.context.sentences import blocks

_AT_ONCE = 32
"""Sentences read at a time: their states under all layers are the largest thing held."""


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


class _Taking:
    """What is kept, while vectors come."""

    def __init__(self, plan: Plan, layers: int, width: int) -> None:
        self.sums = [GroupSums(members, layers, width) for members in (plan.members, plan.null, plan.repeated)]
        self.kept = [Kept(chosen, layers, width) for chosen in (plan.sets[1], plan.pool, plan.beside)]
        self.lengths, self.alike = Lengths(layers, 2), list[tuple[Floats, Floats]]()
        self.wanted = plan.sentences

    def add(self, start: int, vectors: NDArray[np.float32], of: Stream) -> None:
        """Take in a block of occurrences [layers, occurrences, d] of whole sentences."""
        stop = start + vectors.shape[1]
        units, lengths = units_and_lengths(vectors)
        for sums in self.sums:
            sums.add(start, units)
        for kept in self.kept:
            kept.add(start, vectors)
        self.lengths.add(lengths, of.first[start:stop].astype(np.int64))
        self._sentences(vectors, of.sentence[start:stop])

    def _sentences(self, vectors: NDArray[np.float32], sentence: NDArray[np.int64]) -> None:
        mine = np.isin(sentence, self.wanted)
        if not mine.any():
            return
        starts = np.flatnonzero(np.diff(sentence[mine], prepend=-1, append=-2))
        found = [sentences(layer[mine], starts) for layer in vectors]
        self.alike.append((np.stack([f.to_mean for f in found], 1), np.stack([f.between for f in found], 1)))


def collect(model: Reader, texts: tuple[str, ...], of: Stream, plan: Plan, progress: Progress) -> Collected:
    """Read all sentences once and keep what the plan says."""
    taking = _Taking(plan, model.layers, model.width)
    ends = np.cumsum(of.units)
    begin = unit = start = 0
    with progress.step(f"reading with {model.name}", len(texts)) as step:
        for block in blocks(texts, _AT_ONCE):
            begin, end = begin + len(block), int(ends[begin + len(block) - 1])
            vectors = model.vectors(block)[:, of.counted[unit:end]]
            taking.add(start, vectors, of)
            unit, start = end, start + vectors.shape[1]
            step.advance(len(block))
    words, null, repeated = (sums.self_similarity() for sums in taking.sums)
    alike = Alike(np.concatenate([a for a, _ in taking.alike]), np.concatenate([b for _, b in taking.alike]))
    kept, pool, beside = (kept.vectors for kept in taking.kept)
    return Collected(words, null, repeated, kept, pool, beside, alike, taking.lengths)
