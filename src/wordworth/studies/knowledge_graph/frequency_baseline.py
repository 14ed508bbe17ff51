"""The baseline of knowledge graph completion: entities ranked by their frequency with the relation in training."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from wordworth.text.knowledge_graph import RELATION, KnowledgeGraph
from wordworth.training.batch_sampler import Numbers
from wordworth.training.knowledge_graph.filtered_ranks import Scorer
from wordworth.training.knowledge_graph.negative_sampling import BOTH_SIDES, known_and_answer


def frequency_scorer(graph: KnowledgeGraph) -> Scorer:
    """Return a scorer that ranks the answers to a test triple by how often each occurs with its relation in training.

    An entity's score as the tail of a relation is the number of training triples with that relation and tail, and
    likewise for heads. The other entity of the test triple is ignored, so that the baseline's ranks show how well the
    relation alone predicts the answer.
    """
    counts = {tail: _counts(graph, tail=tail) for tail in BOTH_SIDES}

    def score(known: Numbers, relations: Numbers, tail: bool) -> Tensor:  # noqa: ARG001, FBT001 - a Scorer
        return torch.from_numpy(counts[tail][relations])

    return score


def _counts(graph: KnowledgeGraph, *, tail: bool) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Count how often each entity is the tail (or head) of each relation in training, float32 [relations, entities]."""
    _, _, answer = known_and_answer(graph.train, tail=tail)
    counts = np.zeros((len(graph.relations), len(graph.entities)), dtype=np.float32)
    np.add.at(counts, (graph.train[:, RELATION], answer), 1)
    return counts
