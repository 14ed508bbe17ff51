"""DistMult (Yang et al. 2015, arXiv 1412.6575): a relation weighs the products of head and tail."""

from __future__ import annotations

from torch import Tensor

from wordworth.models.knowledge_graph.base import GraphModel


class DistMult(GraphModel):
    """A triple scores the sum of h · r · t over dimensions; it is the same with head and tail exchanged."""

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:  # noqa: ARG002 - both sides are alike
        """Return the known entity times the relation."""
        return self.entities[known] * self.relations[relations]

    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Return every product."""
        return queries @ candidates.T

    def paired_scores(self, queries: Tensor, answers: Tensor) -> Tensor:
        """Return the product of each pair."""
        return (queries * answers).sum(1)
