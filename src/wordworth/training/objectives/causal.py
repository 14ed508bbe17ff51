"""Left-to-right language modelling: each token from those before it (GPT, Radford et al. 2018, equation 1).

The same encoder with a causal mask; over BERT's embedding this is the left-to-right model of Devlin et al. 2019, table
5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import nn

from wordworth.errors import BadInput
from wordworth.models.devices import on_device
from wordworth.models.encoder import Encoder
from wordworth.models.families import family_of
from wordworth.models.lm_heads import word_table
from wordworth.text.corpus.instances import Instances
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Objective, Targets, gather_targets, next_tokens


@dataclass(frozen=True, slots=True)
class CausalLanguageModel(Objective):
    """Predicts each token of a sequence from those before it: all but the first, the special tokens included."""

    name: str = "clm"
    head_name: str = "mlm"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; nothing is drawn
        """Return the instances unchanged, and for each token its successor."""
        return instances, next_tokens(instances)

    def head(self, encoder: Encoder) -> nn.Module:
        """Return BERT's head over a BERT body, GPT-2's bare tied word table over a GPT-2 body.

        Raises:
            BadInput: the body is not causal and would see the answers.
        """
        config = encoder.config
        if not config.causal:
            raise BadInput("this model sees the tokens that it should predict", mend="build it with causal=True")
        return family_of(config.model_type).lm_head(config, {})

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the cross-entropy of each successor."""
        logits = head(gather_targets(output.states, targets.positions), word_table(output.encoder))
        return cross_entropy(logits, on_device(targets.labels, output.states))
