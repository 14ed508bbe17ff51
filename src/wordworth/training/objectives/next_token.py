"""Objectives of language models that predict the next token, or the next and the previous token (ELMo)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from wordworth.errors import BadInput
from wordworth.models.devices import on_device
from wordworth.models.encoder_base import Encoder
from wordworth.models.families import family_of
from wordworth.models.lm_heads import BidirectionalHead, word_table
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Objective, Targets, vocabulary_loss


@dataclass(frozen=True, slots=True)
class _NextToken(Objective):
    """An objective that predicts, at each token of a sequence, the token that follows it; nothing is masked."""

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; nothing is drawn
        """Return the instances unchanged, and as targets the next token at each position but a sequence's last."""
        has_next = np.ones(len(instances.ids), dtype=np.bool_)
        ends = instances.starts[1:]
        has_next[ends[ends > 0] - 1] = False
        positions = np.flatnonzero(has_next)
        return instances, Targets(positions, instances.ids[positions + 1])


@dataclass(frozen=True, slots=True)
class CausalLanguageModel(_NextToken):
    """The objective of causal language modelling: predict each token from the tokens before it.

    Special tokens are predicted too, but not the first token of a sequence. The encoder has a causal mask (GPT, Radford
    et al. 2018, equation 1). With BERT's embedding this is the left-to-right model of Devlin et al. 2019, table 5.
    """

    name: str = "clm"
    head_name: str = "mlm"

    def head(self, encoder: Encoder) -> nn.Module:
        """Return a head over the vocabulary: BERT's for a BERT encoder, the tied token embedding alone for GPT-2's.

        Raises:
            BadInput: the encoder is not causal, so that it would see the tokens to predict.
        """
        config = encoder.config
        if not config.causal:
            raise BadInput("this model sees the tokens that it should predict", mend="build it with causal=True")
        return family_of(config.model_type).lm_head(config, {})

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the cross-entropy over the vocabulary of each token's successor.

        Args:
            head: maps states to logits.
            output: the output of the encoder for the batch.
            targets: the positions and the tokens that follow them.
        """
        return vocabulary_loss(head, output, targets)


@dataclass(frozen=True, slots=True)
class ForwardBackward(_NextToken):
    """The objective of ELMo: a forward language model predicts the next token, a backward one the previous token.

    The two models share one embedding; the loss is the mean over both directions (ELMo, Peters et al. 2018, 3.1).
    """

    name: str = "bilm"
    head_name: str = "bilm"

    def head(self, encoder: Encoder) -> nn.Module:
        """Return one softmax layer for both directions, tied to the token embedding if their widths are equal."""
        return BidirectionalHead.of(encoder)

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the mean of the cross-entropies of next tokens and of previous tokens.

        The first half of a state is the forward language model's, the second half the backward model's.

        Args:
            head: maps states to logits.
            output: the output of the encoder for the batch.
            targets: the positions and the tokens that follow them.
        """
        states, encoder = output.states, output.encoder
        positions = on_device(targets.positions, states.device)
        words = head.table(encoder) if isinstance(head, BidirectionalHead) else word_table(encoder)
        forward, backward = states.chunk(2, dim=-1)
        predicting = torch.cat([forward[positions], backward[positions + 1]])
        both = cross_entropy(
            head(predicting, words), torch.cat([on_device(targets.labels, states.device), output.batch.ids[positions]])
        )
        return Loss(both.sum / 2, len(targets), both.correct / 2)
