"""Answers by frequency: what a model of a knowledge graph has to beat."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from wordworth.text.knowledge_graph import RELATION, KnowledgeGraph
from wordworth.training.batch_sampler import Numbers
from wordworth.training.knowledge_graph.filtered_ranks import Scorer
from wordworth.training.knowledge_graph.negative_sampling import BOTH_SIDES, known_and_answer


def frequency_scorer(graph: KnowledgeGraph) -> Scorer:
    """Return the scorer that gives an entity the number of training triples in which it stands there by this relation.

    It reads nothing of the known entity: what it ranks well, the relation alone gives away.
    """
    counts = {tail: _counts(graph, tail=tail) for tail in BOTH_SIDES}

    def score(known: Numbers, relations: Numbers, tail: bool) -> Tensor:  # noqa: ARG001, FBT001 - a Scorer
        return torch.from_numpy(counts[tail][relations])

    return score


def _counts(graph: KnowledgeGraph, *, tail: bool) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return how often each entity stands on a side of a relation, float32 [relations, entities]."""
    _, _, answer = known_and_answer(graph.train, tail=tail)
    counts = np.zeros((len(graph.relations), len(graph.entities)), dtype=np.float32)
    np.add.at(counts, (graph.train[:, RELATION], answer), 1)
    return counts
