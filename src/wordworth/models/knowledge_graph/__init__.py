"""Models of a knowledge graph: vectors of entities and relations, and how a triple is scored; one file each."""

from __future__ import annotations

from wordworth.models.knowledge_graph.base import GraphModel
from wordworth.registry import Registry

__all__ = ["GRAPH_MODELS", "GraphModel"]

_HERE = "wordworth.models.knowledge_graph."
GRAPH_MODELS: Registry[type[GraphModel]] = Registry(
    "knowledge graph model",
    group="wordworth.knowledge_graph_models",
    builtin={
        "transe": f"{_HERE}transe:TransE",
        "distmult": f"{_HERE}distmult:DistMult",
        "rotate": f"{_HERE}rotate:RotatE",
    },
)
"""Models by name; another package adds a model by an entry point of the group, or by `GRAPH_MODELS.register`."""
