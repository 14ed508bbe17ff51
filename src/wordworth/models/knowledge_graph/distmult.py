"""DistMult (Yang et al. 2015, arXiv 1412.6575): a triple's score is a product weighted by its relation."""

from __future__ import annotations

from torch import Tensor

from wordworth.models.knowledge_graph.base import GraphModel


class DistMult(GraphModel):
    """DistMult: a triple's score is the sum of h · r · t over dimensions, the same with head and tail exchanged."""

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:  # noqa: ARG002 - both sides are alike
        """Return the elementwise product of the known entity and the relation, float32 [n, width]."""
        return self.entities[known] * self.relations[relations]

    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return the dot product of every query and every candidate, float32 [n, m]."""
        return queries @ candidates.T

    def paired_scores(self, queries: Tensor, answers: Tensor) -> Tensor:
        """Return the dot product of query i and entity i, a row of `answers`: float32 [n]."""
        return (queries * answers).sum(1)
