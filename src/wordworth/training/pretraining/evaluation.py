"""Looking at text that is never learned: the same sequences under the same masks, every time.

A bag of words can beat the unigram entropy by half a nat. The *shuffle gap*, the loss with the tokens in sight
permuted minus the plain one, is what the model owes to order; a bag of words has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.text.corpus.instances import Instances
from wordworth.text.corpus.store import TokenStore
from wordworth.text.corpus.vocabulary_info import Vocabulary
from wordworth.training.objectives.masking.sampling import shuffled
from wordworth.training.objectives.mlm import MARKS, MaskedLanguageModel
from wordworth.training.objectives.objective import Targets
from wordworth.training.pretraining.batches import StepData, Steps
from wordworth.training.pretraining.model import PretrainingModel

_BLOCK = 1 << 22


@dataclass
class HeldOut:
    """Held-out text, drawn and masked once.

    Attributes:
        steps: make the sequences, with a plan and a seed of their own.
        count: how many of them are looked at.
        learned: the stores that are learned; their counts are the unigram model.
        at_once: tokens of one pass.
        texts: of their sequences, how many are read, the same at every look; None for all.
    """

    steps: Steps
    count: int
    learned: Sequence[TokenStore]
    at_once: int = 8192
    texts: int | None = None

    @property
    def whole(self) -> int:
        """How many sequences there are to look at."""
        return sum(len(self.steps.made(number).instances) for number in range(self.count))

    @cached_property
    def made(self) -> list[StepData]:
        """The sequences under their masks."""
        left, found = self.texts, list[StepData]()
        for number in range(self.count):
            step = self.steps.made(number)
            if left is not None:
                step, left = step.some(left), left - min(left, len(step.instances))
            found.append(step)
            if left == 0:
                break
        return found

    @cached_property
    def shuffled_batches(self) -> list[StepData]:
        """The same under the same masks, the tokens in sight permuted; none where nothing is masked."""
        masked = [each for each in self.steps.objectives if isinstance(each, MaskedLanguageModel)]
        return [
            replace(
                step,
                instances=shuffled_context(step.instances, step.targets[each.name], each, child(0, "mix", step.number)),
            )
            for each in masked[:1]
            for step in self.made
        ]

    def evaluate(self, network: PretrainingModel) -> dict[str, float]:
        """Mean loss in nats and share answered right of each objective: `mlm`, `mlm_right`, ...; dropout is off.

        `mlm_shuffled` is the loss with the tokens in sight permuted: how far it lies above `mlm` is what the model
        owes to the order of words.
        """
        found = self._losses(network, self.made)
        if self.shuffled_batches:
            found["mlm_shuffled"] = self._losses(network, self.shuffled_batches)["mlm"]
        return found

    @torch.no_grad()
    def _losses(self, network: PretrainingModel, steps: Sequence[StepData]) -> dict[str, float]:
        was, sums = network.training, dict[str, NDArray[np.float64]]()
        network.eval()
        for part in (part for step in steps for part in step.parts(0, 1, self.at_once)):
            for name, loss in network(part.batch.to(network.encoder.device), part.targets).items():
                row = np.array([loss.total.item(), float(loss.correct), loss.counted])
                sums[name] = sums.get(name, 0) + row
        network.train(was)
        means = {name: float(total / max(asked, 1)) for name, (total, _, asked) in sums.items()}
        answered = {name for name, targets in steps[0].targets.items() if targets.of != "states"}
        shares = {name: float(right / max(asked, 1)) for name, (_, right, asked) in sums.items() if name in answered}
        return means | {f"{name}_right": share for name, share in shares.items()}

    def unigrams(self) -> dict[str, float]:
        """What targets cost one who knows only how often each piece is in training text: `mlm_unigram`, in nats each.

        Counts have one added, so that an unseen piece costs much and not everything. Marks stand in no text: of them,
        which reading on asks for where a text ends, the share among the targets themselves is known.
        """
        counts = self._counts()
        marks = _marks(self.learned[0].vocabulary)
        found = dict[str, float]()
        for name, targets in self.made[0].targets.items():
            if targets.of == "tokens":
                labels = np.concatenate([step.targets[name].labels for step in self.made])
                marked = np.isin(labels, marks)
                asked = np.bincount(labels[marked], minlength=len(counts)) / len(labels)
                costs = -np.log(np.where(asked > 0, asked, (1 - marked.mean()) * counts / counts.sum()))
                found[f"{name}_unigram"] = float(costs[labels].mean())
        return found

    def _counts(self) -> NDArray[np.float64]:
        """How often each piece is in training text, and one more."""
        counts = np.ones(self.learned[0].vocabulary.vocab_size)
        for store in self.learned:
            for start in range(0, len(store.ids), _BLOCK):
                counts += np.bincount(store.ids[start : start + _BLOCK], minlength=len(counts))
        return counts


def shuffled_context(
    instances: Instances, targets: Targets, objective: MaskedLanguageModel, rng: np.random.Generator
) -> Instances:
    """The instances with the tokens in sight permuted within each text; special tokens and targets stay in place.

    The two texts of a pair are permuted apart, so that each keeps its bag of words.
    """
    fixed = np.isin(instances.ids, _marks(objective.vocabulary))
    fixed[targets.places] = True
    seen = np.flatnonzero(~fixed)
    sequence = np.repeat(np.arange(len(instances)), instances.lengths)
    texts = (2 * sequence + instances.segments)[seen]
    ids = instances.ids.copy()
    ids[seen] = instances.ids[seen[shuffled(texts, rng)]]
    return replace(instances, ids=ids)


def _marks(vocabulary: Vocabulary) -> list[int]:
    """The ids of the tokens that frame texts; those that a vocabulary lacks are no id."""
    return [vocabulary.special_ids.get(role, -1) for role in MARKS]
