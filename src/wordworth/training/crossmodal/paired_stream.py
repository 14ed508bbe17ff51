"""`PairedStream`: the batches of training sequences of a model of words and codes.

A sequence has words alone, codes alone, or both. Its masked tokens are predicted (masked completion), or the model
judges whether words and codes belong together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.text.corpus.pretraining_sequences import NO_SECOND, Instances
from wordworth.training.batch_sampler import BatchSampler
from wordworth.training.crossmodal.sequences import Numbers, Pairs, instances_of

TOGETHER, APART = 0, 1
"""Labels of pairs to judge: the codes are those of the words, or those of another sequence."""
_TRIES = 20


@dataclass(frozen=True, slots=True)
class SequenceShares:
    """The shares of the kinds of training sequences of a model of words and codes.

    Of a pair of words and codes the model reads the words alone, the codes alone, or both; all pairs that are not in
    the shares `words` and `codes` are read whole. Half of the whole pairs are for masked completion, half for the
    judgement whether words and codes belong together. The shares do not concern data that has words or codes alone.

    Attributes:
        words: share of pairs of which the words alone are read.
        codes: share of pairs of which the codes alone are read.
        subsampling: only every r-th code of a sequence is kept, with r drawn from 1 to `subsampling`.
    """

    words: float = 0.0
    codes: float = 0.0
    subsampling: int = 1


@dataclass(frozen=True, slots=True)
class PairedStream:
    """An endless stream of batches of sequences of words and codes.

    A batch depends on the seed and the step's number alone. Of the sequences for the judgement whether words and codes
    belong together, half have the codes of another pair with different words, drawn at random.

    Attributes:
        pairs: two or more captions with the codes that belong to them, and any number of captions or codes alone.
        shares: the shares of the kinds of sequence.
        batch_size: sequences in a step.
        max_length: maximal number of tokens of a sequence.
        seed: the seed of all random draws.
    """

    pairs: Pairs
    shares: SequenceShares
    batch_size: int
    max_length: int
    seed: int

    @property
    def steps_per_pass(self) -> float:
        """The number of steps in which as many sequences are read as there are pairs."""
        return len(self.pairs) / self.batch_size

    def batch(self, step: int) -> Instances:
        """Return the sequences of a step; the first step is 0."""
        rng = seeds.child(self.seed, "pairs", step)
        sampler = BatchSampler(np.ones(len(self.pairs), dtype=np.int64), self.batch_size, self.seed)
        rows = next(sampler.after(step))
        regime = rng.random(len(rows))
        judged, apart = rng.random(len(rows)) < 0.5, rng.random(len(rows)) < 0.5  # noqa: PLR2004 - halves
        sides, labels = list[tuple[Numbers | None, Numbers | None]](), np.full(len(rows), NO_SECOND)
        for number, row in enumerate(rows.tolist()):
            words, codes = self.pairs.words[row], self.pairs.codes[row]
            if not len(codes) or (len(words) and regime[number] < self.shares.words):
                sides.append((words, None))
            elif not len(words) or regime[number] < self.shares.words + self.shares.codes:
                sides.append((None, self._thinned(codes, rng)))
            else:
                if judged[number]:
                    labels[number] = APART if apart[number] else TOGETHER
                    codes = self.pairs.codes[other_than(self.pairs, row, rng)] if apart[number] else codes
                sides.append((words, self._thinned(codes, rng)))
        return instances_of(sides, labels, self.max_length)

    def _thinned(self, codes: Numbers, rng: np.random.Generator) -> Numbers:
        """Return every r-th code of a sequence, beginning with one of its first r codes.

        r is drawn from 1 to `shares.subsampling`, and is at most the number of codes.
        """
        rate = min(int(rng.integers(1, self.shares.subsampling + 1)), len(codes))
        return codes[int(rng.integers(rate)) :: rate]


def other_than(pairs: Pairs, row: int, rng: np.random.Generator) -> int:
    """Draw a pair of a caption and codes whose words differ from the words of a given pair; return its index.

    If 20 draws find no such pair, the last drawn pair is returned. A pair that lacks words or codes is never drawn.

    Args:
        pairs: pairs, of which two or more have words and codes.
        row: the index of the given pair, which has words and codes.
        rng: source of randomness.
    """
    whole, other = pairs.whole, row
    own = int(np.searchsorted(whole, row))
    for _ in range(_TRIES):
        other = int(whole[(own + int(rng.integers(1, len(whole)))) % len(whole)])
        if not np.array_equal(pairs.words[other], pairs.words[row]):
            break
    return other
