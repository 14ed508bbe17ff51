"""TransE: a triple scores the margin less the length of h + r − t, whichever end is missing."""

import torch

from wordworth.models.knowledge_graph.transe import TransE


def test_a_triple_scores_the_margin_less_its_distance_by_hand():
    model = TransE(3, 1, 2, margin=5.0, generator=torch.Generator())
    model.entities.data = torch.tensor([[0.0, 0.0], [1.0, 2.0], [4.0, 6.0]])
    model.relations.data = torch.tensor([[1.0, 2.0]])
    head, relation, tail = torch.tensor([0, 0]), torch.tensor([0, 0]), torch.tensor([1, 2])
    expected = [5.0, 0.0]  # 0 + r = entity 1; entity 2 is (3, 4) away
    for known, answer, is_tail in ((head, tail, True), (tail, head, False)):
        queries = model.queries(known, relation, tail=is_tail)
        assert model.paired_scores(queries, model.entities[answer]).tolist() == expected
        of_all = model.scores(queries, model.entities)
        assert torch.allclose(of_all.gather(1, answer[:, None])[:, 0], torch.tensor(expected), atol=1e-5)
