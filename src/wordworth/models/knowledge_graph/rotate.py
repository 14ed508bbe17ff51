"""RotatE (Sun et al. 2019, arXiv 1902.10197): a relation turns the head, in the complex plane, to the tail."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.knowledge_graph.base import DistanceModel


class RotatE(DistanceModel):
    """A triple scores margin − ||h ∘ r − t|| with |r_i| = 1 (equation 2); entities are complex, halves of the width.

    The norm is the Euclidean one over all real and imaginary parts; the authors' program adds the moduli instead.

    Raises:
        BadInput: the width is odd.
    """

    def relation_width(self, width: int) -> int:
        """Return one angle for each complex number."""
        if width % 2:
            raise BadInput(f"rotate needs an even --dimension, not {width}", mend=f"give {width + 1}")
        return width // 2

    def queries(self, known: Tensor, relations: Tensor, *, tail: bool) -> Tensor:
        """Return the known entity turned by the relation, or back where the head is missing."""
        angles = self.relations[relations] * (math.pi / self.bound)
        real, imaginary = self.entities[known].chunk(2, dim=1)
        cosine, sine = angles.cos(), angles.sin() if tail else -angles.sin()
        return torch.cat((real * cosine - imaginary * sine, real * sine + imaginary * cosine), dim=1)
