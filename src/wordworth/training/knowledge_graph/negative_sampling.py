"""`NegativeSampling`: a loss that trains true triples to score above triples with a random head or tail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import logsigmoid

from wordworth.models.devices import on_device
from wordworth.models.knowledge_graph import GraphModel
from wordworth.text.knowledge_graph import HEAD, RELATION, TAIL, Triples
from wordworth.training.batch_sampler import Numbers

_Array = TypeVar("_Array", NDArray[np.int64], Tensor)
BOTH_SIDES = (True, False)
"""Whether the tail is missing."""


@dataclass(frozen=True, slots=True)
class NegativeSampling:
    """The self-adversarial negative sampling loss of Sun et al. (2019, arXiv 1902.10197, equation 5).

    True triples are trained to score above negatives: triples with a random head, and triples with a random tail.
    Their entities are drawn from all entities, so some negatives may be true triples. All triples of a batch share the
    entities drawn for heads, and the entities drawn for tails (Lerer et al. 2019, arXiv 1903.12287), so that one matrix
    product scores all negatives of a side.

    Attributes:
        model: the model that is trained.
        triples: int64 [n, 3], the training triples.
        negatives: number of entities drawn for the heads of a batch, and as many for the tails.
        temperature: the factor alpha on scores in the softmax that weights the negatives: the higher it is, the more
            weight negatives with high scores have; 0 gives all negatives equal weights.
    """

    model: GraphModel
    triples: Triples
    negatives: int
    temperature: float

    def __call__(self, rows: Numbers, generator: torch.Generator) -> Iterator[Tensor]:
        """Yield for each side, missing tails and missing heads, half the mean loss of some triples.

        The two scalars add up to the mean loss over triples and sides.

        Args:
            rows: int64 [n], the indices of the triples among the training triples.
            generator: draws the negatives.
        """
        model = self.model
        triples = on_device(self.triples[rows], model.entities.device)
        for tail_missing in BOTH_SIDES:
            known, relation, answer = known_and_answer(triples, tail=tail_missing)
            drawn = torch.randint(len(model.entities), (self.negatives,), generator=generator).to(triples.device)
            queries = model.queries(known, relation, tail=tail_missing)
            positive = logsigmoid(model.paired_scores(queries, model.entities[answer]))
            scores = model.scores(queries, model.entities[drawn])
            weights = torch.softmax(self.temperature * scores.detach(), dim=1)
            negative = (weights * logsigmoid(-scores)).sum(1)
            yield -(positive + negative).mean() / (2 * len(BOTH_SIDES))


def known_and_answer(triples: _Array, *, tail: bool) -> tuple[_Array, _Array, _Array]:
    """Return (known entities, relations, missing entities) of triples, int64 [n] each.

    Args:
        triples: [n, 3], (head, relation, tail).
        tail: whether the tail is the missing entity; else the head.
    """
    known, answer = (HEAD, TAIL) if tail else (TAIL, HEAD)
    return triples[:, known], triples[:, RELATION], triples[:, answer]
