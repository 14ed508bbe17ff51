"""TransE (Bordes et al. 2013): a relation is a translation from the head to the tail."""

from __future__ import annotations

from torch import Tensor

from wordworth.models.knowledge_graph.base import DistanceModel


class TransE(DistanceModel):
    """A triple scores margin − ||h + r − t||, the Euclidean form of equation 1 in Bordes et al. (2013)."""

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:
        """Return h + r, or t − r where the head is missing."""
        moved = self.relations[relations]
        return self.entities[known] + (moved if tail else -moved)
