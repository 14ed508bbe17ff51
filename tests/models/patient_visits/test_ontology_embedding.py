"""Graph attention in two stages: equal to a loop, and each code depends on the nodes that the stages allow (S23)."""

import numpy as np
import pytest
import torch

from wordworth.models.patient_visits.ontology_embedding import CodeTable, GraphAttention, OntologyEmbedding
from wordworth.text.medical_code_ontology import Ontology

PARENTS = {
    "root": (),
    "A": ("root",),
    "B": ("root",),
    "A1": ("A",),
    "A2": ("A",),
    "A1x": ("A1",),
    "A1y": ("A1",),
    "A2x": ("A2",),
    "B1": ("B",),
    "B1x": ("B1",),
}
LEAVES = ("A1x", "A1y", "A2x", "B1x")
GRAPH = Ontology("tree", "", PARENTS).graph(LEAVES)


def generator():
    return torch.Generator().manual_seed(3)


def test_attention_is_that_of_a_loop_over_nodes_and_heads():
    layer, nodes = GraphAttention(8, 2, generator()), torch.randn(4, 8, generator=generator())
    edges = torch.tensor([[0, 0, 0, 1, 2, 3, 3], [0, 1, 3, 1, 2, 3, 0]])
    wanted = torch.zeros(4, 8)
    values = nodes @ layer.weight
    for node in range(4):
        read = edges[1, edges[0] == node].tolist()
        for head in range(2):
            part = slice(4 * head, 4 * head + 4)
            both = [torch.cat([values[node, part], values[other, part]]) for other in read]
            scores = torch.stack([each @ layer.attention[:, head].flatten() for each in both])
            weights = torch.softmax(torch.nn.functional.leaky_relu(scores, 0.2), 0)
            wanted[node, part] = sum(w * values[other, part] for w, other in zip(weights, read, strict=True))
    torch.testing.assert_close(layer(nodes, edges), wanted + layer.bias)


def changed_by(node):
    """The codes whose vector changes where the vector of a node does."""
    embedding = OntologyEmbedding(GRAPH, 8, 2, generator())
    before = embedding().detach()
    with torch.no_grad():
        embedding.nodes[GRAPH.nodes.index(node)] += 1
    rows = (embedding().detach() - before).abs().amax(1) > 1e-6
    return {LEAVES[row] for row in np.flatnonzero(rows.numpy())}


@pytest.mark.parametrize(
    ("node", "codes"),
    [
        ("A1x", {"A1x", "A1y"}),  # siblings share the parent that gathers from both
        ("A2x", {"A2x"}),
        ("A1", {"A1x", "A1y", "A2x"}),  # the child of a common ancestor, though not an ancestor of A2x
        ("A", set(LEAVES)),  # through the root, whose child it is
        ("B1", {"B1x"}),
        ("root", set(LEAVES)),
    ],
)
def test_a_code_depends_on_itself_its_ancestors_and_their_children_alone(node, codes):
    assert changed_by(node) == codes


def test_gradients_reach_every_node_and_weight():
    embedding = OntologyEmbedding(GRAPH, 8, 2, generator())
    embedding().square().sum().backward()
    assert all(each.grad is not None and each.grad.abs().sum() > 0 for each in embedding.parameters())
    assert (embedding.nodes.grad.abs().sum(1) > 0).all()


def test_a_table_is_a_vector_of_each_code():
    table = CodeTable(5, 8, generator())
    assert table().shape == (5, 8)
    assert torch.equal(table(), table.vectors)
