"""Every model of a knowledge graph begins with vectors of the same draw, within the published bound."""

import pytest
import torch

from wordworth.models.knowledge_graph import GRAPH_MODELS


@pytest.mark.parametrize("name", sorted(GRAPH_MODELS.builtin))
def test_the_same_seed_draws_the_same_vectors_within_the_bound(name):
    first, again = (GRAPH_MODELS.get(name)(7, 3, 10, 4.0, torch.Generator().manual_seed(1)) for _ in range(2))
    assert torch.equal(first.entities, again.entities)
    assert torch.equal(first.relations, again.relations)
    assert first.entities.shape == (7, 10)
    assert first.relations.shape == (3, first.relation_width(10))
    assert first.entities.abs().max() <= (4 + 2) / 10  # (margin + 2) / width, Sun et al. (2019), code
