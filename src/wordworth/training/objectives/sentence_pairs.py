"""Objectives about the two texts of a pair: does the second follow the first, and are they in the right order?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import nn

from wordworth.models.devices import on_device
from wordworth.models.encoder_base import Encoder
from wordworth.models.lm_heads import NextSentenceHead
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Objective, Targets


@dataclass(frozen=True, slots=True)
class NextSentence(Objective):
    """The objective of next sentence prediction: label 0 if the second text follows the first, 1 if it is random.

    Instances of a single text are left out. Devlin et al. 2019, section 3.1, task 2.
    """

    name: str = "nsp"
    head_name: str = "nsp"

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; the generator of pairs has drawn
        """Return the instances unchanged, with the indices and labels of all sequences of two texts as targets."""
        pairs = np.flatnonzero(instances.labels >= 0)
        return instances, Targets(pairs, instances.labels[pairs], level="sequences")

    def head(self, encoder: Encoder) -> nn.Module:
        """Return a head that computes two logits from the pooled vector of a pair."""
        return NextSentenceHead.of(encoder)

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the cross-entropy of the labels: the second text follows the first, or it is random.

        Args:
            head: maps a pooled vector to two logits.
            output: the output of the encoder for the batch.
            targets: the sequences with their labels.
        """
        vectors = output.encoder.pool(output.states, output.batch.starts)
        pooled = vectors[on_device(targets.positions, vectors.device)]
        return cross_entropy(head(pooled), on_device(targets.labels, output.states.device))


@dataclass(frozen=True, slots=True)
class SentenceOrder(NextSentence):
    """The objective of sentence order prediction: label 0 for two texts in the document's order, 1 if swapped.

    ALBERT, Lan et al. 2020 (arXiv 1909.11942), section 3.1. The sampler makes the pairs, and the head is the head of
    next sentence prediction. Unlike next sentence prediction, the objective cannot be solved by topic alone.
    """

    name: str = "sop"
