"""What a masked language model has learned, on text it never saw: its loss, and the loss without the order of words.

A bag of words can beat the unigram entropy by half a nat. The *shuffle gap*, the loss with the tokens in sight
permuted minus the plain one, is what the model owes to order; a bag of words has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from wordworth import seeds
from wordworth.models.batch import Batch
from wordworth.models.encoder_module import EncoderModule
from wordworth.text.corpus.instances import Instances
from wordworth.training.objectives.masking.groups import shuffled
from wordworth.training.objectives.mlm import MARKS, MaskedLanguageModel
from wordworth.training.objectives.objective import Targets


@dataclass(frozen=True, slots=True)
class HeldOutScores:
    """A masked language model on held-out text; losses in nats per masked token.

    Attributes:
        loss: mean cross-entropy of the targets.
        accuracy: share of targets whose piece the model finds likeliest.
        shuffled: the loss with the visible tokens of each text permuted.
        unigram: the loss of one who knows how often each piece is.
        targets: how many were asked for.
    """

    loss: float
    accuracy: float
    shuffled: float
    unigram: float
    targets: int

    @property
    def shuffle_gap(self) -> float:
        """Nats per target that the order of the visible tokens is worth to the model."""
        return self.shuffled - self.loss


def held_out(  # noqa: PLR0913 - what is asked, of what, and how
    model: EncoderModule,
    head: nn.Module,
    objective: MaskedLanguageModel,
    instances: Instances,
    *,
    seed: int = 0,
    counts: NDArray[np.integer[Any]] | None = None,
    at_once: int = 8192,
) -> HeldOutScores:
    """How well held-out instances are answered, under masks that only the seed decides; dropout is off.

    Args:
        model: the encoder.
        head: its head for the objective.
        objective: draws the masks.
        instances: sequences as the model reads them, not masked yet.
        seed: of masks and permutations.
        counts: [vocabulary], how often each piece stands in the training text, for the unigram loss; one is added to
            each. None takes the targets' own distribution: their entropy, which no unigram model beats.
        at_once: tokens of one pass, about.
    """
    read, targets = objective.prepare(instances, seeds.child(seed, "masks"))
    mixed = shuffled_context(read, targets, objective, seeds.child(seed, "shuffle"))
    modules = [module for module in (model, head) if isinstance(module, nn.Module)]
    was = [module.training for module in modules]
    for module in modules:
        module.eval()
    loss, right = _asked(model, head, objective, (read, targets), at_once)
    shuffled_loss, _ = _asked(model, head, objective, (mixed, targets), at_once)
    for module, training in zip(modules, was, strict=True):
        module.train(training)
    return HeldOutScores(loss, right, shuffled_loss, unigram_loss(targets, counts), len(targets))


def shuffled_context(
    instances: Instances, targets: Targets, objective: MaskedLanguageModel, rng: np.random.Generator
) -> Instances:
    """The instances with the tokens in sight permuted within each text; special tokens and targets stay in place.

    The two texts of a pair are permuted apart, so that each keeps its bag of words.
    """
    fixed = np.isin(instances.ids, [objective.vocabulary.special_ids.get(role, -1) for role in MARKS])
    fixed[targets.places] = True
    seen = np.flatnonzero(~fixed)
    sequence = np.repeat(np.arange(len(instances)), instances.lengths)
    texts = (2 * sequence + instances.segments)[seen]
    ids = instances.ids.copy()
    ids[seen] = instances.ids[seen[shuffled(texts, rng)]]
    return replace(instances, ids=ids)


def unigram_loss(targets: Targets, counts: NDArray[np.integer[Any]] | None = None) -> float:
    """The mean cross-entropy of targets by piece counts, one added to each; by their own distribution without counts.

    Returns:
        Nats per target; 0 where there are none.
    """
    if not len(targets):
        return 0.0
    own = np.bincount(targets.labels, minlength=0 if counts is None else len(counts))
    weights = own if counts is None else np.asarray(counts) + 1
    asked = own > 0
    costs = -np.log(weights[asked] / weights.sum())
    return float((own[asked] * costs).sum() / own.sum())


def _asked(
    model: EncoderModule,
    head: nn.Module,
    objective: MaskedLanguageModel,
    what: tuple[Instances, Targets],
    at_once: int,
) -> tuple[float, float]:
    """Mean loss and share answered right."""
    total, right, asked = 0.0, 0, 0
    with torch.no_grad():
        for batch, targets in _passes(*what, at_once):
            here = batch.to(model.device)
            found = objective.loss(head, model(here), model, here, targets)
            total, right, asked = total + found.total.item(), right + int(found.correct), asked + found.counted
    return total / max(asked, 1), right / max(asked, 1)


def _passes(instances: Instances, targets: Targets, at_once: int) -> Iterator[tuple[Batch, Targets]]:
    """The instances, those of like lengths together, in passes of about `at_once` tokens."""
    order = np.argsort(-instances.lengths, kind="stable")
    cuts = np.flatnonzero(np.diff(np.cumsum(instances.lengths[order]) // max(1, at_once))) + 1
    for rows in np.split(order, cuts):
        part = instances.take(rows)
        batch = Batch(*(torch.from_numpy(each) for each in (part.ids, part.segments, part.starts)))
        yield batch, targets.take(rows, instances.starts)
