"""Next sentence prediction: does the second text follow the first? (Devlin et al. 2019, section 3.1, task 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.devices import on_device
from wordworth.models.encoder_module import EncoderModule
from wordworth.models.lm_heads import NextSentenceHead
from wordworth.training.objectives.objective import Loss, Targets, cross_entropy

if TYPE_CHECKING:
    from wordworth.text.corpus.instances import Instances


@dataclass(frozen=True, slots=True)
class NextSentence:
    """Label 0: the second text follows the first; 1: it is a random one. Instances of one text are left out."""

    name: str = "nsp"
    head_name: str = "nsp"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; the generator of pairs has drawn
        """Return the instances unchanged, and the indices and labels of those that hold two texts."""
        pairs = np.flatnonzero(instances.labels >= 0)
        return instances, Targets(pairs, instances.labels[pairs], of="sequences")

    def head(self, model: EncoderModule) -> nn.Module:
        """Return a layer with two logits over the pooled vector."""
        return NextSentenceHead.of(model)

    def loss(self, head: nn.Module, states: Tensor, model: EncoderModule, batch: Batch, targets: Targets) -> Loss:
        """Return the cross-entropy of the two labels.

        Args:
            head: what `head` made.
            states: last states of the encoder, [tokens, width].
            model: the encoder.
            batch: the token sequences.
            targets: what to predict in this batch.
        """
        pooled = model.pool(states, batch.starts)[on_device(targets.places, states)]
        return cross_entropy(head(pooled), on_device(targets.labels, states))
