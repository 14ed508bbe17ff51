"""Evaluate on held-out text, with the same sequences and the same masks every time.

A bag of words can beat the unigram entropy by half a nat. The *shuffle gap*, the loss with the visible tokens permuted
minus the loss with the tokens in order, is what the model gains from word order; the gap of a bag of words is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import TokenStore, Vocabulary
from wordworth.training.objectives.masking.mask_sampling import shuffled
from wordworth.training.objectives.mlm import UNMASKED_ROLES, MaskedLanguageModel
from wordworth.training.objectives.objective import Targets
from wordworth.training.pretraining.batches import StepData, Steps
from wordworth.training.pretraining.model import PretrainingModel

_BLOCK = 1 << 22


@dataclass
class HeldOut:
    """Held-out text for evaluations, which all read the same sequences with the same masks.

    Attributes:
        steps: the source of the sequences, with a seed and a plan of steps that differ from the training's.
        count: number of steps of this source to evaluate on.
        training_stores: the token stores of the training text, from which the unigram baseline is estimated.
        micro_batch_tokens: number of tokens in a micro-batch.
        texts: number of sequences that every evaluation reads; None for all.
    """

    steps: Steps
    count: int
    training_stores: Sequence[TokenStore]
    micro_batch_tokens: int = 8192
    texts: int | None = None

    @property
    def whole(self) -> int:
        """The number of all held-out sequences, of which evaluations may read fewer (`texts`)."""
        return sum(len(self.steps.step(number).instances) for number in range(self.count))

    @cached_property
    def sequences(self) -> list[StepData]:
        """The masked held-out sequences that evaluations read."""
        left, steps = self.texts, list[StepData]()
        for number in range(self.count):
            step = self.steps.step(number)
            if left is not None:
                step, left = step.sample(left), left - min(left, len(step.instances))
            steps.append(step)
            if left == 0:
                break
        return steps

    @cached_property
    def shuffled_batches(self) -> list[StepData]:
        """The masked held-out sequences with their visible tokens permuted; empty without masked language modelling."""
        return [
            replace(
                step,
                instances=shuffled_context(step.instances, step.targets[each.name], each, child(0, "mix", step.number)),
            )
            for each in self._masked
            for step in self.sequences
        ]

    def evaluate(self, network: PretrainingModel) -> dict[str, float]:
        """Return losses on held-out text in nats (`mlm`) and accuracies, 0 to 1 (`mlm_right`), by objective.

        Dropout is off. `mlm_shuffled` is the loss with the visible tokens permuted: `mlm_shuffled` minus `mlm` is what
        the model gains from word order.
        """
        losses = self._losses(network, self.sequences)
        for each in self._masked:
            losses[f"{each.name}_shuffled"] = self._losses(network, self.shuffled_batches)[each.name]
        return losses

    @property
    def _masked(self) -> list[MaskedLanguageModel]:
        """The first objective of masked language modelling as the only item of a list; empty if there is none."""
        return [each for each in self.steps.objectives if isinstance(each, MaskedLanguageModel)][:1]

    @torch.no_grad()
    def _losses(self, network: PretrainingModel, steps: Sequence[StepData]) -> dict[str, float]:
        was_training, sums = network.training, dict[str, NDArray[np.float64]]()
        network.eval()
        for part in (part for step in steps for part in step.parts(0, 1, self.micro_batch_tokens)):
            for name, loss in network(part.batch.to(network.encoder.device), part.targets).items():
                row = np.array([loss.sum.item(), float(loss.correct), loss.count])
                sums[name] = sums.get(name, 0) + row
        network.train(was_training)
        means = {name: float(total / max(count, 1)) for name, (total, _, count) in sums.items()}
        predicted = {name for name, targets in steps[0].targets.items() if targets.level != "states"}
        shares = {name: float(right / max(count, 1)) for name, (_, right, count) in sums.items() if name in predicted}
        return means | {f"{name}_right": share for name, share in shares.items()}

    def unigrams(self) -> dict[str, float]:
        """Return the mean loss of a unigram model on held-out text, in nats, for each objective (`mlm_unigram`).

        The unigram model is estimated from the training text. One is added to every count, so that an unseen subword
        has a finite loss. The training text has no special tokens; if they are among the targets, as in causal models,
        their probability is their share of the targets.
        """
        counts = self._counts()
        special = _special_ids(self.training_stores[0].vocabulary)
        losses = dict[str, float]()
        for name, targets in self.sequences[0].targets.items():
            if targets.level == "tokens":
                labels = np.concatenate([step.targets[name].labels for step in self.sequences])
                is_special = np.isin(labels, special)
                special_shares = np.bincount(labels[is_special], minlength=len(counts)) / len(labels)
                costs = -np.log(
                    np.where(special_shares > 0, special_shares, (1 - is_special.mean()) * counts / counts.sum())
                )
                losses[f"{name}_unigram"] = float(costs[labels].mean())
        return losses

    def _counts(self) -> NDArray[np.float64]:
        """Return how often each subword occurs in the training text, plus one."""
        counts = np.ones(self.training_stores[0].vocabulary.vocab_size)
        for store in self.training_stores:
            for start in range(0, len(store.ids), _BLOCK):
                counts += np.bincount(store.ids[start : start + _BLOCK], minlength=len(counts))
        return counts


def shuffled_context(
    instances: Instances, targets: Targets, objective: MaskedLanguageModel, rng: np.random.Generator
) -> Instances:
    """Return masked sequences with the visible tokens of each text permuted; special and masked tokens stay in place.

    The two texts of a pair are permuted separately.

    Args:
        instances: the sequences, masked.
        targets: the masked positions.
        objective: the objective that masked them.
        rng: source of randomness.
    """
    fixed = np.isin(instances.ids, _special_ids(objective.vocabulary))
    fixed[targets.positions] = True
    visible = np.flatnonzero(~fixed)
    sequence = np.repeat(np.arange(len(instances)), instances.lengths)
    texts = (2 * sequence + instances.segments)[visible]
    ids = instances.ids.copy()
    ids[visible] = instances.ids[visible[shuffled(texts, rng)]]
    return replace(instances, ids=ids)


def _special_ids(vocabulary: Vocabulary) -> list[int]:
    """Return the ids of the special tokens around texts; -1 for one that the vocabulary lacks."""
    return [vocabulary.special_ids.get(role, -1) for role in UNMASKED_ROLES]
