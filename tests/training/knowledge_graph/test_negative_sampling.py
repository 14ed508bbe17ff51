"""The loss of true triples beside random ones is the published one, side by side."""

import math

import numpy as np
import pytest
import torch

from wordworth.models.knowledge_graph.transe import TransE
from wordworth.training.knowledge_graph.negative_sampling import NegativeSampling, known_and_answer

TRIPLES = np.array([[0, 0, 1], [2, 1, 3], [4, 0, 0]])


def loss_of(model, temperature=1.0, negatives=7, rows=(0, 1, 2)):
    objective = NegativeSampling(model, TRIPLES, negatives, temperature)
    return sum(objective(np.array(rows), torch.Generator().manual_seed(3)))


def by_hand(model, temperature, negatives=7):
    """Equation 5 of Sun et al. (2019), one triple and one negative at a time, halved and averaged over both sides."""
    draws, total = torch.Generator().manual_seed(3), 0.0
    vectors, relations = model.entities.detach().numpy(), model.relations.detach().numpy()

    def score(head, relation, tail):
        return model.margin - np.linalg.norm(vectors[head] + relations[relation] - vectors[tail])

    for tail_missing in (True, False):
        drawn = torch.randint(len(vectors), (negatives,), generator=draws).tolist()
        for head, relation, tail in TRIPLES.tolist():
            wrong = [score(head, relation, each) if tail_missing else score(each, relation, tail) for each in drawn]
            weights = np.exp(temperature * np.array(wrong))
            weights /= weights.sum()
            positive = math.log(1 / (1 + math.exp(-score(head, relation, tail))))
            negative = sum(w * math.log(1 / (1 + math.exp(s))) for w, s in zip(weights, wrong, strict=True))
            total -= (positive + negative) / (4 * len(TRIPLES))
    return total


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_loss_is_that_of_the_equation(temperature):
    model = TransE(5, 2, 6, margin=1.0, generator=torch.Generator().manual_seed(0))
    assert loss_of(model, temperature).item() == pytest.approx(by_hand(model, temperature), abs=1e-5)


def test_the_loss_of_a_triple_is_next_to_nothing_where_the_margin_is_kept():
    """A true triple without distance, and wrong ones far beyond the margin."""
    model = TransE(5, 2, 2, margin=20.0, generator=torch.Generator())
    model.entities.data = torch.tensor([[1000.0 * n, 0.0] for n in range(5)])
    model.relations.data = torch.tensor([[1000.0, 0.0], [1000.0, 0.0]])
    objective = NegativeSampling(model, np.array([[3, 0, 4]]), 1, 1.0)
    seed = next(
        s for s in range(99) if (torch.randint(5, (1,), generator=torch.Generator().manual_seed(s)) != 4).item()
    )
    first_side = next(iter(objective(np.array([0]), torch.Generator().manual_seed(seed))))
    assert first_side.item() == pytest.approx(0.0, abs=1e-6)


def test_the_known_and_the_missing_entity_change_places():
    known, relation, answer = known_and_answer(TRIPLES, tail=True)
    assert (known.tolist(), relation.tolist(), answer.tolist()) == ([0, 2, 4], [0, 1, 0], [1, 3, 0])
    known, _, answer = known_and_answer(TRIPLES, tail=False)
    assert (known.tolist(), answer.tolist()) == ([1, 3, 0], [0, 2, 4])
