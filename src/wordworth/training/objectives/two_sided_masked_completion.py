"""Masked completion of sequences with two sides, such as words and codes: an objective for each side.

VideoBERT (Sun et al. 2019, arXiv 1904.01766, section 3.2) masks words and tokens of video alike. Here each side has a
mean loss of its own, so that the side with more tokens does not outweigh the other. A masked token can mostly be
guessed from unmasked tokens of its own side. In some sequences all tokens of one side and no token of the other side
are masked, so that the model learns to predict one side from the other alone (conditional masking, Chen et al. 2020,
arXiv 1909.11740).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.pretraining_sequences import NOTHING, Instances
from wordworth.training.objectives.masking.mask_sampling import Text, sample_groups
from wordworth.training.objectives.mlm import UNMASKED_ROLES, MaskedLanguageModel
from wordworth.training.objectives.objective import Targets

_WHOLE_SIDE = "whole_side"
"""The feature by which one objective tells the other which side of a sequence is masked whole: 0, 1 or `NOTHING`."""


@dataclass(frozen=True, kw_only=True)
class FirstSideCompletion(MaskedLanguageModel):
    """Masked language modelling of the first side of sequences with two sides, such as the words of a caption.

    The tokens of the first side have segment 0. Sequences with a label of 0 or 1 are not masked, since the alignment
    objective predicts that label from all tokens.

    Attributes:
        whole: share of the two-sided sequences in which all tokens of one side are masked and no token of the other
            side. The first side is masked in half of these sequences, the second side in the rest. Give both objectives
            the same share, since the first objective draws the side for both.
    """

    side: ClassVar[int] = 0
    unmasked_roles: ClassVar[tuple[str, ...]] = (*UNMASKED_ROLES, "codes")
    whole: float = 0.5
    name: str = "completion_first"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return the instances with tokens of one side masked, and their positions with the original ids as labels.

        The side is `side`: 0 for the first, 1 for the second.
        """
        word_starts = self.vocabulary.word_starts.find(instances.ids)
        text = Text.read(instances.ids, instances.starts, self._special(), word_starts)
        owner, mask = np.repeat(np.arange(len(instances)), instances.lengths), self.vocabulary.special_ids["mask"]
        own = text.maskable & (instances.segments == self.side)
        own_tokens, visible, masked = (
            np.bincount(owner[chosen], minlength=len(instances))
            for chosen in (own, text.maskable & ~own, (instances.ids == mask) & (instances.segments != self.side))
        )
        instances = self._with_whole_side(instances, (own_tokens > 0) & (visible > 0), owner, rng)
        drawn = instances.features[_WHOLE_SIDE][instances.starts[:-1]]
        whole = drawn == self.side
        free = (instances.labels < 0) & (whole | (drawn == NOTHING)) & ~((visible == 0) & (masked > 0))
        groups = self.masking_unit.groups(replace(text, maskable=own), rng)
        quota = np.where(free, np.where(whole, own_tokens, self.rates.quota(own_tokens)), 0)
        positions, group = groups.take(sample_groups(groups, text.starts, quota, rng)).tokens()
        replaced = self._replacements(instances.ids[positions], group, rng)
        ids = instances.ids.copy()
        ids[positions] = np.where(whole[owner[positions]], mask, replaced)
        return replace(instances, ids=ids), Targets(positions, instances.ids[positions])

    def _with_whole_side(
        self, instances: Instances, two_sided: NDArray[np.bool_], owner: NDArray[np.int64], rng: np.random.Generator
    ) -> Instances:
        """Return the instances with a feature that says which side of their sequence is masked whole.

        The feature is 0, 1 or `NOTHING` at every token of a sequence. Instances that have it are returned unchanged.

        Args:
            instances: the sequences.
            two_sided: bool [sequences], whether a sequence has tokens of both sides.
            owner: int64 [tokens], the index of each token's sequence.
            rng: source of randomness.
        """
        if _WHOLE_SIDE in instances.features:
            return instances
        draw = rng.random(len(instances))
        side = np.where(two_sided & (draw < self.whole), (draw < self.whole / 2).astype(np.int64), NOTHING)
        return replace(instances, features={**instances.features, _WHOLE_SIDE: side[owner]})


@dataclass(frozen=True, kw_only=True)
class SecondSideCompletion(FirstSideCompletion):
    """Masked language modelling of the second side of sequences with two sides, such as codes of video.

    The tokens of the second side have segment 1. All else is as in `FirstSideCompletion`.
    """

    side: ClassVar[int] = 1
    name: str = "completion_second"
