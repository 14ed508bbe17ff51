"""RotatE: a relation turns each complex number of the head; turning back finds the head."""

import math

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.models.knowledge_graph.rotate import RotatE


def model_of(width=8, seed=0):
    return RotatE(5, 2, width, margin=9.0, generator=torch.Generator().manual_seed(seed))


def test_it_scores_the_distance_of_complex_numbers():
    model = model_of()
    head, relation, tail = (torch.tensor(each) for each in ([0, 1, 2], [0, 1, 1], [3, 4, 0]))
    numbers = torch.complex(*model.entities.chunk(2, dim=1))
    turns = torch.polar(torch.ones(2, 4), model.relations * math.pi / model.bound)
    expected = 9.0 - torch.linalg.vector_norm(numbers[head] * turns[relation] - numbers[tail], dim=1)
    for known, answer, is_tail in ((head, tail, True), (tail, head, False)):
        queries = model.queries(known, relation, tail=is_tail)
        assert torch.allclose(model.paired_scores(queries, model.entities[answer]), expected, atol=1e-5)
        of_all = model.scores(queries, model.entities).gather(1, answer[:, None])[:, 0]
        assert torch.allclose(of_all, expected, atol=1e-4)


def test_an_odd_width_is_refused():
    with pytest.raises(BadInput, match=r"rotate needs an even .dimension., not 7"):
        model_of(width=7)
