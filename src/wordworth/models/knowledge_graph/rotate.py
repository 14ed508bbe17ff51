"""RotatE (Sun et al. 2019, arXiv 1902.10197): a relation turns the head, in the complex plane, to the tail."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.knowledge_graph.base import DistanceModel


class RotatE(DistanceModel):
    """RotatE: the score of a triple is margin − ||h ∘ r − t||, with complex h and t, and |r_i| = 1.

    The norm is equation 2 of Sun et al. 2019 for the head h, relation r and tail t; the margin is a constant, the score
    at distance 0. The first half of an entity's vector holds the real parts, the second half the imaginary parts. The
    norm is Euclidean over all of them; the authors' code adds the moduli of the complex numbers instead.

    Raises:
        BadInput: the width is odd.
    """

    @classmethod
    def relation_width(cls, width: int) -> int:
        """Return the number of angles of a relation, one for each complex number of an entity: half of `width`.

        Raises:
            BadInput: `width` is odd.
        """
        if width % 2:
            raise BadInput(f"rotate needs an even --dimension, not {width}", mend=f"give {width + 1}")
        return width // 2

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:
        """Return the known head rotated by its relation, or the known tail rotated back, float32 [n, width].

        Args:
            known: int64 [n], the index of the known entity: the head where the tail is missing, else the tail.
            relations: int64 [n], the index of the relation.
            tail: whether the tail is missing.
        """
        angles = self.relations[relations] * (math.pi / self.bound)
        real, imaginary = self.entities[known].chunk(2, dim=1)
        cosine, sine = angles.cos(), angles.sin() if tail else -angles.sin()
        return torch.cat((real * cosine - imaginary * sine, real * sine + imaginary * cosine), dim=1)
