"""Vectors of medical codes: a table, or graph attention over an ontology in two stages (G-BERT, Shang et al. 2019)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.text.medical_code_ontology import CodeGraph

_SLOPE = 0.2
"""Slope of the leaky rectifier below 0 (Veličković et al. 2018, section 3.3)."""


class CodeTable(nn.Module):
    """A table with one trained vector for each code, independent of an ontology.

    Args:
        codes: number of codes.
        width: number of components of a vector.
        generator: draws the vectors.
    """

    def __init__(self, codes: int, width: int, generator: torch.Generator) -> None:
        super().__init__()
        self.vectors = glorot_weights(codes, width, generator)

    def forward(self) -> Tensor:
        """Return the vectors of all codes, float32 [codes, width]."""
        return self.vectors


class GraphAttention(nn.Module):
    """A layer of graph attention (Veličković et al. 2018, arXiv 1710.10903, equations 1 to 5), without an output ReLU.

    Args:
        width: number of components of a node's vector, a multiple of `heads`.
        heads: number of attention heads, whose outputs are concatenated.
        generator: draws the weights.
    """

    def __init__(self, width: int, heads: int, generator: torch.Generator) -> None:
        super().__init__()
        self.heads = heads
        self.weight = glorot_weights(width, width, generator)
        self.attention = nn.Parameter(glorot_weights(2 * heads, width // heads, generator).detach().view(2, heads, -1))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        """Return each node's attention-weighted sum over its neighbours, float32 [nodes, width].

        Args:
            nodes: float32 [nodes, width].
            edges: int64 [2, m], the indices of the receiving node and of the neighbour; every node needs at least one
                edge.
        """
        gathering, read = edges
        values = (nodes @ self.weight).view(len(nodes), self.heads, -1)
        of_gathering, of_read = ((values * part).sum(-1) for part in self.attention)
        scores = functional.leaky_relu(of_gathering[gathering] + of_read[read], _SLOPE)
        weighted = _softmax_by_node(scores, gathering, len(nodes))[..., None] * values[read]
        gathered = torch.zeros_like(values).index_add(0, gathering, weighted)
        return gathered.flatten(1) + self.bias


class OntologyEmbedding(nn.Module):
    """Vectors of the codes of an ontology, computed by two stages of graph attention.

    In the first stage every node attends to its children and itself; in the second every code attends to its ancestors
    and itself. Both stages have the same weights (Shang et al. 2019, arXiv 1906.00346, equations 1 to 3, and the
    authors' code).

    Args:
        graph: the codes and their ancestors.
        width: number of components of a vector, a multiple of `heads`.
        heads: number of attention heads.
        generator: draws vectors and weights.
    """

    from_children: Tensor
    from_ancestors: Tensor

    def __init__(self, graph: CodeGraph, width: int, heads: int, generator: torch.Generator) -> None:
        super().__init__()
        self.codes = graph.codes
        self.nodes = glorot_weights(len(graph.nodes), width, generator)
        self.attention = GraphAttention(width, heads, generator)
        self.register_buffer("from_children", torch.from_numpy(graph.from_children), persistent=False)
        self.register_buffer("from_ancestors", torch.from_numpy(graph.from_ancestors), persistent=False)

    def forward(self) -> Tensor:
        """Return the vectors of the codes, float32 [codes, width]."""
        gathered: Tensor = self.attention(self.attention(self.nodes, self.from_children), self.from_ancestors)
        return gathered[: self.codes]


def glorot_weights(rows: int, columns: int, generator: torch.Generator) -> nn.Parameter:
    """Return new weights, float32 [rows, columns], drawn uniformly as in Glorot and Bengio (2010, equation 16).

    Args:
        rows: number of rows.
        columns: number of columns.
        generator: draws the weights.
    """
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(rows, columns), generator=generator))


def _softmax_by_node(scores: Tensor, nodes: Tensor, count: int) -> Tensor:
    """Return scores of edges [m, heads] as weights that add up to 1 over the edges of each receiving node.

    Args:
        scores: [m, heads].
        nodes: int64 [m], the index of each edge's receiving node.
        count: number of nodes.
    """
    index = nodes[:, None].expand_as(scores)
    empty = scores.new_full((count, scores.shape[1]), -torch.inf)
    highest = empty.scatter_reduce(0, index, scores.detach(), "amax")
    raised = (scores - highest[nodes]).exp()
    return raised / torch.zeros_like(empty).index_add(0, nodes, raised)[nodes]
