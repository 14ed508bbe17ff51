"""Masked completion of sequences with two sides, such as words and codes: an objective for each side.

VideoBERT (Sun et al. 2019, arXiv 1904.01766, section 3.2) masks words and tokens of video alike. Here each side has a
mean loss of its own, so that the side with more tokens does not outweigh the other. A masked token has others of its
side beside it; to learn from the other side alone, some sequences have all of one side masked, and then nothing of the
other (conditional masking, Chen et al. 2020, arXiv 1909.11740).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.instances import Instances
from wordworth.training.objectives.masking.sampling import Text, sample_groups
from wordworth.training.objectives.mlm import UNMASKED_ROLES, MaskedLanguageModel
from wordworth.training.objectives.objective import Targets


@dataclass(frozen=True, kw_only=True)
class FirstSideCompletion(MaskedLanguageModel):
    """Masked language modelling of the first side of sequences with two sides, such as the words of a caption.

    The tokens of the first side have segment 0. Sequences with a label of 0 or 1 are not masked, since the alignment
    objective predicts that label from all tokens.

    Attributes:
        whole: share of the two-sided sequences in which the whole side is masked.
    """

    side: ClassVar[int] = 0
    whole: float = 0.25
    name: str = "completion_first"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return the instances with masked ids, and the masked positions with the original ids as labels."""
        word_starts = self.vocabulary.word_starts.find(instances.ids)
        text = Text.read(instances.ids, instances.starts, self._special(), word_starts)
        owner, mask = np.repeat(np.arange(len(instances)), instances.lengths), self.vocabulary.special_ids["mask"]
        own = text.maskable & (instances.segments == self.side)
        own_tokens, visible, masked = (
            np.bincount(owner[chosen], minlength=len(instances))
            for chosen in (own, text.maskable & ~own, (instances.ids == mask) & (instances.segments != self.side))
        )
        free = (instances.labels < 0) & ~((visible == 0) & (masked > 0))
        whole = free & (visible > 0) & (rng.random(len(instances)) < self.whole)
        groups = self.candidates.groups(replace(text, maskable=own), rng)
        quota = np.where(free, np.where(whole, own_tokens, self.rates.quota(own_tokens)), 0)
        positions, group = groups.take(sample_groups(groups, text.starts, quota, rng)).tokens()
        drawn = self._replacements(instances.ids[positions], group, rng)
        ids = instances.ids.copy()
        ids[positions] = np.where(whole[owner[positions]], mask, drawn)
        return replace(instances, ids=ids), Targets(positions, instances.ids[positions])

    def _special(self) -> NDArray[np.bool_]:
        special = np.zeros(self.vocabulary.vocab_size, dtype=np.bool_)
        ids = self.vocabulary.special_ids
        special[[ids[role] for role in (*UNMASKED_ROLES, "codes") if role in ids]] = True
        return special


@dataclass(frozen=True, kw_only=True)
class SecondSideCompletion(FirstSideCompletion):
    """Masked language modelling of the second side of sequences with two sides, such as codes of video.

    The tokens of the second side have segment 1. All else is as in `FirstSideCompletion`.
    """

    side: ClassVar[int] = 1
    name: str = "completion_second"
