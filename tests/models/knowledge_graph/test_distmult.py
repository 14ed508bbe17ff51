"""DistMult: a triple scores the sum of h · r · t, and head and tail may be exchanged."""

import torch

from wordworth.models.knowledge_graph.distmult import DistMult


def test_a_triple_scores_the_sum_of_products_by_hand():
    model = DistMult(2, 1, 3, margin=1.0, generator=torch.Generator())
    model.entities.data = torch.tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]])
    model.relations.data = torch.tensor([[2.0, 1.0, -1.0]])
    first, relation, second = torch.tensor([0]), torch.tensor([0]), torch.tensor([1])
    for known, answer, tail in ((first, second, True), (second, first, False), (second, first, True)):
        queries = model.queries(known, relation, tail=tail)
        assert model.paired_scores(queries, model.entities[answer]).item() == -2.0 + 1.0 - 6.0
        assert model.scores(queries, model.entities)[0, answer].item() == -7.0
