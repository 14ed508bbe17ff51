"""Two language models over one embedding, one from the left and one from the right (ELMo, Peters et al. 2018, 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.devices import on_device
from wordworth.models.encoder_module import EncoderModule
from wordworth.models.lm_heads import BidirectionalHead, word_table
from wordworth.training.objectives.next_token_targets import successors
from wordworth.training.objectives.objective import Loss, Targets, cross_entropy

if TYPE_CHECKING:
    from wordworth.text.corpus.instances import Instances


@dataclass(frozen=True, slots=True)
class ForwardBackward:
    """A forward and a backward language model: of each two neighbours, each is predicted from the other's side.

    A target counts once: its loss is the mean of both directions, as ELMo is trained.
    """

    name: str = "bilm"
    head_name: str = "bilm"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; nothing is drawn
        """Return the instances unchanged, and for each token that has a successor that successor."""
        return instances, successors(instances)

    def head(self, model: EncoderModule) -> nn.Module:
        """Return one softmax for both directions, tied to the word table if its width allows."""
        return BidirectionalHead.of(model)

    def loss(self, head: nn.Module, states: Tensor, model: EncoderModule, batch: Batch, targets: Targets) -> Loss:
        """Return the mean of both directions' cross-entropy: of successors and of predecessors.

        The first half of a state is the forward language model's, the second the backward one's.

        Args:
            head: what `head` made.
            states: last states of the encoder, [tokens, width].
            model: the encoder.
            batch: the token sequences.
            targets: what to predict in this batch.
        """
        positions = on_device(targets.places, states)
        words = head.table(model) if isinstance(head, BidirectionalHead) else word_table(model)
        forward, backward = states.chunk(2, dim=-1)
        predicting = torch.cat([forward[positions], backward[positions + 1]])
        both = cross_entropy(
            head(predicting, words), torch.cat([on_device(targets.labels, states), batch.ids[positions]])
        )
        return Loss(both.total / 2, len(targets), both.correct / 2)
