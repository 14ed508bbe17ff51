"""`GraphModel`: a vector of each entity and relation, and a score of every triple."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn


class GraphModel(nn.Module, ABC):
    """A model that scores a triple by its three vectors; higher is more likely true.

    A score compares a candidate entity with a query, which is made of the entity and the relation at hand: so one
    product scores all candidates of a batch.

    Args:
        entities: number of entities.
        relations: number of relations.
        width: numbers of an entity's vector.
        margin: the score of a perfect triple, where scores are distances below it.
        generator: draws the vectors.
    """

    def __init__(self, entities: int, relations: int, width: int, margin: float, generator: torch.Generator) -> None:
        super().__init__()
        self.margin, self.bound = margin, (margin + 2) / width  # the bound of Sun et al. (2019), code
        self.entities = nn.Parameter(self._uniform(entities, width, generator))
        self.relations = nn.Parameter(self._uniform(relations, self.relation_width(width), generator))

    def _uniform(self, rows: int, width: int, generator: torch.Generator) -> Tensor:
        return (2 * torch.rand(rows, width, generator=generator) - 1) * self.bound

    def relation_width(self, width: int) -> int:
        """Return how many numbers a relation's vector has."""
        return width

    @abstractmethod
    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:
        """Return what the missing entity is compared with, float32 [n, width].

        Args:
            known: int64 [n], the head where the tail is missing, else the tail.
            relations: int64 [n].
            tail: whether the tail is missing.
        """

    @abstractmethod
    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return the score of every candidate for every query, float32 [n, m].

        Args:
            queries: float32 [n, width].
            candidates: float32 [m, width], vectors of entities.
        """

    @abstractmethod
    def paired_scores(self, queries: Tensor, answers: Tensor) -> Tensor:
        """Return the score of one entity for each query, float32 [n]; `answers` is float32 [n, width]."""


class DistanceModel(GraphModel):
    """A model whose score is a margin less the Euclidean distance between query and candidate."""

    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return the margin less every distance."""
        return self.margin - torch.cdist(queries, candidates)

    def paired_scores(self, queries: Tensor, answers: Tensor) -> Tensor:
        """Return the margin less the distance of each pair."""
        distances: Tensor = torch.linalg.vector_norm(queries - answers, dim=1)
        return self.margin - distances
