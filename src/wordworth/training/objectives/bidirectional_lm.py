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
    """For each two neighbours, the left one says the right one and the right one says the left one.

    A target counts once: its loss is the mean of both directions, as ELMo trains it.
    """

    name: str = "bilm"
    head_name: str = "bilm"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; nothing is drawn
        """The instances as they are; at each token that has a successor, that successor."""
        return instances, successors(instances)

    def head(self, model: EncoderModule) -> nn.Module:
        """One softmax for both directions, over the word table where its width allows."""
        return BidirectionalHead.of(model)

    def loss(self, head: nn.Module, states: Tensor, model: EncoderModule, batch: Batch, targets: Targets) -> Loss:
        """Half the cross-entropy of each successor by the forward states and of each predecessor by the backward ones.

        The first half of a state is the forward language model's, the second the backward one's.
        """
        places = on_device(targets.places, states)
        words = head.table(model) if isinstance(head, BidirectionalHead) else word_table(model)
        forward, backward = states.chunk(2, dim=-1)
        asked = torch.cat([forward[places], backward[places + 1]])
        found = cross_entropy(head(asked, words), torch.cat([on_device(targets.labels, states), batch.ids[places]]))
        return Loss(found.total / 2, len(targets), found.correct / 2)
