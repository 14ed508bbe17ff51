"""The denoising entity auto-encoder (dEA): which entity is mentioned here? (Zhang et al. 2019, section 3.4).

ERNIE of Tsinghua, arXiv 1905.07129. At the first word piece of every mention the model predicts the entity to which the
mention is aligned, among the entities of the step, by softmax(linear(w) . e), with state w and entity vectors e. In the
model's input, 5 % of the alignments are replaced by another entity and 15 % are removed; the label is always the true
entity. In the authors' code (thunlp/ERNIE) the replacement may be the true entity by chance; here it never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.devices import on_device
from wordworth.models.encoder_base import Encoder
from wordworth.models.entity_fusion.entity_stack import EntityStack
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import TokenStore, store_name
from wordworth.text.entity_links import ENTITY, NO_ENTITY
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import (
    ModelOutput,
    Numbers,
    Objective,
    ObjectiveContext,
    Targets,
    gather_targets,
)

_AT_ONCE = 1 << 20
"""Tokens that are searched for a link at a time."""


@dataclass(frozen=True, kw_only=True)
class EntityDenoising(Objective):
    """The objective to predict the entity that a mention is aligned to, after some alignments were corrupted.

    Attributes:
        replaced: fraction of the alignments whose entity is replaced by another entity that the same step mentions.
        removed: fraction of the alignments whose entity is removed; all others are unchanged.
    """

    replaced: float = 0.05
    removed: float = 0.15
    name: str = "dea"
    head_name: str = "dea"

    def __post_init__(self) -> None:
        if min(self.replaced, self.removed) < 0 or self.replaced + self.removed > 1:
            message = f"replaced={self.replaced} and removed={self.removed} are out of range"
            raise BadInput(message, mend="give shares of 0 or more that add up to at most 1; 0.05 and 0.15 are usual")

    @classmethod
    def build(cls, context: ObjectiveContext) -> Self:
        """Build the objective for a corpus whose texts have links.

        Raises:
            BadInput: an option is invalid, or the corpus was read by the tokenizer of a model without entities.
        """
        if ENTITY not in context.store.features:
            where = context.config.initial_model_name or store_name(context.store.folder)
            mend = "make one with `wordworth kg fuse`, and adapt that"
            raise BadInput("dea needs a model that fuses entities, which reads links", where=where, mend=mend)
        return super().build(context)

    def require_corpora(self, stores: Sequence[TokenStore]) -> None:
        """Check that at least one corpus has links to entities.

        Args:
            stores: the token stores of the corpora.

        Raises:
            BadInput: no corpus has links, so that the objective `dea` would learn nothing.
        """
        if not any(_has_links(store) for store in stores):
            where = ", ".join(store_name(store.folder) for store in stores)
            mend = "put links into it by `wordworth kg link`, or leave dea out of objectives="
            raise BadInput("dea needs links to entities, and this corpus has none", where=where, mend=mend)

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return the instances with corrupted alignments, and targets that label tokens with their true entities."""
        true = instances.features[ENTITY]
        positions = np.flatnonzero(true != NO_ENTITY)
        labels = true[positions]
        candidates, index = np.unique(labels, return_inverse=True)
        entities = true.copy()
        entities[positions] = self.corrupted(candidates, index, rng)
        targets = Targets(positions, labels, level="entities", candidates=candidates)
        return replace(instances, features={**instances.features, ENTITY: entities}), targets

    def corrupted(self, candidates: Numbers, entity_index: Numbers, rng: np.random.Generator) -> Numbers:
        """Return the corrupted entity of each alignment, int64 [m]: a row of the entity table, or -1 if it is removed.

        Args:
            candidates: int64 [k], the distinct entities of the step.
            entity_index: int64 [m], the index of each alignment's entity in `candidates`.
            rng: source of randomness.
        """
        fate, others = rng.random(len(entity_index)), len(candidates) - 1
        drawn = rng.integers(0, max(others, 1), len(entity_index))
        drawn += (drawn >= entity_index) & (others > 0)
        is_replaced, is_removed = fate < self.replaced, fate >= 1 - self.removed
        entities = (
            candidates[np.where(is_replaced & (others > 0), drawn, entity_index)] if len(entity_index) else entity_index
        )
        return np.where(is_removed, NO_ENTITY, entities).astype(np.int64)

    def head(self, encoder: Encoder) -> nn.Module:
        """Return a linear map from states to vectors of entities.

        Raises:
            BadInput: the model fuses no entities.
        """
        return nn.Linear(encoder.width, _table(encoder).shape[1])

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the cross-entropy of the true entity of each mention among the entities of the step.

        Args:
            head: maps a state to an entity vector.
            output: the output of the encoder for the batch.
            targets: the positions and the entities of the mentions.
        """
        vectors = _table(output.encoder)[on_device(targets.candidates, output.states.device)]
        labels = np.searchsorted(targets.candidates, targets.labels)
        projected: Tensor = head(gather_targets(output.states, targets.positions))
        if not len(targets.candidates):  # a step without mentions
            return Loss(projected.sum() * 0, 0)
        return cross_entropy(projected @ vectors.to(projected.dtype).T, on_device(labels, output.states.device))


def _has_links(store: TokenStore) -> bool:
    rows = store.features[ENTITY]
    return any((rows[start : start + _AT_ONCE] != NO_ENTITY).any() for start in range(0, len(rows), _AT_ONCE))


def _table(encoder: Encoder) -> Tensor:
    if not isinstance(encoder.body, EntityStack):
        raise BadInput("dea needs a model that fuses entities", mend="make one with `wordworth kg fuse`")
    return encoder.body.entities
