"""Judge whether a dialogue is real, or has a turn of another dialogue in it (ERNIE's dialogue language model)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.devices import on_device
from wordworth.models.encoder_base import Encoder
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Objective, ObjectiveContext, Targets


class DialogueHead(nn.Module):
    """The head that judges a dialogue by the state of [CLS]: a dense layer with tanh, and a layer with two logits.

    The dense layer is like BERT's pooler, but belongs to the head, so that a model without a pooler can be trained on
    dialogues too.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(width, width)
        self.classifier = nn.Linear(width, 2)

    def forward(self, states: Tensor) -> Tensor:
        """Return two logits for each dialogue, [n, 2], from the states of [CLS], [n, width]."""
        logits: Tensor = self.classifier(self.dense(states).tanh())
        return logits


@dataclass(frozen=True, slots=True)
class RealDialogue(Objective):
    """The objective to tell real dialogues (label 0) from dialogues with a turn of another dialogue (label 1).

    Sun et al. 2019 (arXiv 1904.09223), section 3.3. The sampler of `sequences=dialogues` replaces turns, and gives
    speaker roles in place of segments; the objective is used together with masked language modelling.
    """

    name: str = "dialogue"
    head_name: str = "dialogue"

    @classmethod
    def build(cls, context: ObjectiveContext) -> Self:
        """Build the objective for a run.

        Raises:
            BadInput: the sequences of the run are not dialogues.
        """
        if context.config.recipe.sequences != "dialogues":
            message = f"sequences={context.config.recipe.sequences} are no dialogues to judge"
            raise BadInput(message, where="--override objectives", mend="add --override sequences=dialogues")
        return cls(**context.parse_options(cls))

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:  # noqa: ARG002 - the protocol's; the sampler has drawn
        """Return the instances unchanged, and the label of each instance: 0 for a real dialogue, else 1."""
        return instances, Targets(np.arange(len(instances)), instances.labels, level="sequences")

    def head(self, encoder: Encoder) -> nn.Module:
        """Return a head that computes two logits from the state of [CLS]."""
        return DialogueHead(encoder.width)

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the cross-entropy of the labels: 0 for a real dialogue, 1 for one with another dialogue's turn.

        Args:
            head: maps a state to two logits.
            output: the output of the encoder for the batch.
            targets: the dialogues with their labels.
        """
        first = output.batch.starts[:-1].long()[on_device(targets.positions, output.states.device)]
        return cross_entropy(head(output.states[first]), on_device(targets.labels, output.states.device))
