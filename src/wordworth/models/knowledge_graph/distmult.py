"""DistMult (Yang et al. 2015, arXiv 1412.6575): a triple's score is a trilinear product of its vectors."""

from __future__ import annotations

from torch import Tensor

from wordworth.models.knowledge_graph.base import GraphModel


class DistMult(GraphModel):
    """DistMult: a triple's score is the sum of h · r · t over dimensions, which is symmetric in head and tail."""

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:  # noqa: ARG002 - both sides are alike
        """Return the elementwise product of the vectors of known entity and relation, float32 [n, width].

        Args:
            known: int64 [n], the index of the known entity, head or tail.
            relations: int64 [n], the index of the relation.
            tail: whether the tail is missing; it makes no difference, as DistMult is symmetric.
        """
        return self.entities[known] * self.relations[relations]

    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return the dot product of every query and every candidate, float32 [n, m].

        Args:
            queries: float32 [n, width].
            candidates: float32 [m, width], the vectors of the entities.
        """
        return queries @ candidates.T

    def paired_scores(self, queries: Tensor, entity_vectors: Tensor) -> Tensor:
        """Return the dot product of each query and its answer, float32 [n].

        Args:
            queries: float32 [n, width].
            entity_vectors: float32 [n, width], for each query the vector of the entity that is scored as its answer.
        """
        return (queries * entity_vectors).sum(1)
