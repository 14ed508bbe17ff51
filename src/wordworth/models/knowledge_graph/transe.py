"""TransE (Bordes et al. 2013): a relation is a translation from the head to the tail."""

from __future__ import annotations

from torch import Tensor

from wordworth.models.knowledge_graph.base import DistanceModel


class TransE(DistanceModel):
    """TransE: a triple's score is margin − ||h + r − t||, for the head h, relation r and tail t.

    The norm is the distance d in equation 1 of Bordes et al. (2013), here Euclidean. The margin is a constant, the
    score at distance 0.
    """

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:
        """Return head + relation if the tail is missing, tail − relation if the head is missing, float32 [n, width].

        Args:
            known: int64 [n], the index of the known entity: the head where the tail is missing, else the tail.
            relations: int64 [n], the index of the relation.
            tail: whether the tail is missing.
        """
        moved = self.relations[relations]
        return self.entities[known] + (moved if tail else -moved)
