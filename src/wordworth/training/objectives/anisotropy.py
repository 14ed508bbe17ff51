"""A penalty on anisotropy: states of unrelated tokens should not point in the same direction.

Ethayarajh 2019 (arXiv 1909.00512, section 5) leaves such a penalty to future work. The penalty here is the quantity
that the paper calls anisotropy (section 3.3), the mean cosine between states of uniformly drawn tokens of different
sequences; Gao et al. 2019 (arXiv 1907.12009) have a similar penalty for word vectors. IsoScore was not chosen: it needs
many more points than dimensions, or a covariance estimated from other data (Rudman and Eickhoff 2024, arXiv
2305.19358), and it ignores the mean direction of the states, which an anisotropy baseline measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.devices import on_device
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import Vocabulary
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Numbers, Objective, ObjectiveContext, Targets


@dataclass(frozen=True, kw_only=True)
class AnisotropyPenalty(Objective):
    """A penalty on anisotropy: the mean cosine between last-layer states of random tokens of different sequences.

    Nothing is predicted, so `Loss.correct` is 0. Only states of one forward pass are compared, so with micro-batches or
    several processes there are fewer pairs, but the expected penalty is the same.

    Attributes:
        vocabulary: the vocabulary, whose special tokens are not drawn. [MASK] is one of them, since its state belongs
            to no word; list this objective after an objective that masks, so that masked tokens are not drawn.
        weight: weight of the penalty in the sum of the objectives' losses.
        share: fraction of the tokens that are drawn.
    """

    vocabulary: Vocabulary
    weight: float = 1.0
    share: float = 0.125
    name: str = "anisotropy"
    head_name: str = "anisotropy"

    @classmethod
    def build(cls, context: ObjectiveContext) -> Self:
        """Build the penalty for a run, with the weight that the recipe sets, or else 1."""
        return cls(vocabulary=context.store.vocabulary, weight=context.config.recipe.anisotropy or 1.0)

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return the instances unchanged, and as targets the drawn tokens, each with its sequence's index as label."""
        words = np.flatnonzero(~self.vocabulary.special[instances.ids])
        count = min(len(words), max(2, round(self.share * len(words))))
        positions: Numbers = np.sort(rng.choice(words, count, replace=False, shuffle=False))
        owners = np.searchsorted(instances.starts, positions, side="right") - 1
        return instances, Targets(positions, owners.astype(np.int64), level="states")

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:  # noqa: ARG002 - there is no head
        """Return the loss: `weight` times the mean cosine between drawn states of different sequences.

        `Loss.count` is the number of drawn states, and `Loss.sum` the weighted mean times this number, so that
        micro-batches add up. The sum is 0 if all drawn states come from one sequence, as there is no pair to compare.

        Args:
            head: not used, as this objective has no head.
            output: the output of the encoder for the batch.
            targets: the positions of the drawn states and their sequences.
        """
        _, owners = np.unique(targets.labels, return_inverse=True)
        states = output.states
        drawn = states[on_device(targets.positions, states.device)].float()
        cosine = mean_cosine_apart(drawn, on_device(owners.astype(np.int64), states.device), np.bincount(owners))
        return Loss(self.weight * len(targets) * cosine, len(targets))


def mean_cosine_apart(states: Tensor, owners: Tensor, sizes: Numbers) -> Tensor:
    """Return the mean cosine over all pairs of states of different sequences, a scalar; 0 if there are no pairs.

    The squared length of the sum of unit vectors is the sum of all pairs' cosines; the same sum over the states of each
    sequence is subtracted.

    Args:
        states: float32 [n, d], the states.
        owners: int64 [n], the index of the sequence to which each state belongs.
        sizes: int64 [sequences], number of states of each sequence.
    """
    units = functional.normalize(states, dim=-1)
    own = units.new_zeros(len(sizes), units.shape[1]).index_add(0, owners, units)
    pairs = int(sizes.sum()) ** 2 - int((sizes**2).sum())
    return (own.sum(0).square().sum() - own.square().sum()) / max(pairs, 1) if pairs else units.sum() * 0
