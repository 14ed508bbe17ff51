"""Two language models over one embedding, one from the left and one from the right (ELMo, Peters et al. 2018, 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from wordworth.models.devices import on_device
from wordworth.models.encoder import Encoder
from wordworth.models.lm_heads import BidirectionalHead, word_table
from wordworth.text.corpus.instances import Instances
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Objective, Targets, next_tokens


@dataclass(frozen=True, slots=True)
class ForwardBackward(Objective):
    """A forward and a backward language model: of each two neighbours, each is predicted from the other's side.

    A target counts once: its loss is the mean of both directions, as ELMo is trained.
    """

    name: str = "bilm"
    head_name: str = "bilm"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; nothing is drawn
        """Return the instances unchanged, and for each token that has a successor that successor."""
        return instances, next_tokens(instances)

    def head(self, encoder: Encoder) -> nn.Module:
        """Return one softmax for both directions, tied to the word table if its width allows."""
        return BidirectionalHead.of(encoder)

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the mean of both directions' cross-entropy: of next and of previous tokens.

        The first half of a state is the forward language model's, the second the backward one's.
        """
        states, encoder = output.states, output.encoder
        positions = on_device(targets.positions, states)
        words = head.table(encoder) if isinstance(head, BidirectionalHead) else word_table(encoder)
        forward, backward = states.chunk(2, dim=-1)
        predicting = torch.cat([forward[positions], backward[positions + 1]])
        both = cross_entropy(
            head(predicting, words), torch.cat([on_device(targets.labels, states), output.batch.ids[positions]])
        )
        return Loss(both.sum / 2, len(targets), both.correct / 2)
