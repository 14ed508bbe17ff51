"""`GraphModel`: a vector of each entity and relation, and a score of every triple."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn


class GraphModel(nn.Module, ABC):
    """A model that scores a triple by the vectors of its head, relation and tail.

    The higher the score, the more likely the triple is true.

    The known entity and the relation make a query vector, with which every candidate for the missing entity is
    compared. One matrix product scores all candidates of a batch of queries.

    Args:
        entities: number of entities.
        relations: number of relations.
        width: number of components of an entity's vector.
        margin: the score of a triple at distance 0, in models that score a triple by a distance.
        generator: draws the initial vectors.
    """

    def __init__(self, entities: int, relations: int, width: int, margin: float, generator: torch.Generator) -> None:
        super().__init__()
        self.margin, self.bound = margin, (margin + 2) / width  # the bound of Sun et al. (2019), code
        self.entities = nn.Parameter(self._uniform(entities, width, generator))
        self.relations = nn.Parameter(self._uniform(relations, self.relation_width(width), generator))

    def _uniform(self, rows: int, width: int, generator: torch.Generator) -> Tensor:
        return (2 * torch.rand(rows, width, generator=generator) - 1) * self.bound

    @classmethod
    def relation_width(cls, width: int) -> int:
        """Return the number of components of a relation's vector, for entity vectors of `width` components."""
        return width

    @abstractmethod
    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:
        """Return the query vectors, with which candidates for the missing entities are compared, float32 [n, width].

        Args:
            known: int64 [n], the index of the known entity: the head where the tail is missing, else the tail.
            relations: int64 [n], the index of the relation.
            tail: whether the tail is missing.
        """

    @abstractmethod
    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return the score of every candidate for every query, float32 [n, m].

        Args:
            queries: float32 [n, width], as `queries` returns them.
            candidates: float32 [m, width], vectors of entities.
        """

    @abstractmethod
    def paired_scores(self, queries: Tensor, entity_vectors: Tensor) -> Tensor:
        """Return the score of one answer to each query, float32 [n].

        Args:
            queries: float32 [n, width], as `queries` returns them.
            entity_vectors: float32 [n, width], for each query the vector of the entity that is scored as its answer.
        """


class DistanceModel(GraphModel):
    """A model that scores a triple by a constant margin minus the Euclidean distance of query and candidate entity."""

    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return the margin minus the Euclidean distance of every query to every candidate entity, float32 [n, m].

        Args:
            queries: float32 [n, width], for each query the point that the vector of the right entity should be near.
            candidates: float32 [m, width], the vectors of the entities.
        """
        return self.margin - torch.cdist(queries, candidates)

    def paired_scores(self, queries: Tensor, entity_vectors: Tensor) -> Tensor:
        """Return the margin minus the Euclidean distance of each query to its answer, float32 [n].

        Args:
            queries: float32 [n, width].
            entity_vectors: float32 [n, width], for each query the vector of the entity that is scored as its answer.
        """
        distances: Tensor = torch.linalg.vector_norm(queries - entity_vectors, dim=1)
        return self.margin - distances
