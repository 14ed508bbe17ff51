"""The tables of a knowledge graph study: ranks over all test triples and by relation, and examples of answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from wordworth import seeds
from wordworth.measures.bootstrap import interval, mean_draws
from wordworth.text.knowledge_graph import RELATION, KnowledgeGraph
from wordworth.training.knowledge_graph.filtered_ranks import Floats, Scorer
from wordworth.training.knowledge_graph.negative_sampling import known_and_answer
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings

HITS = (1, 3, 10)
MRR = "mrr"
_SHOWN, _TOP = 12, 3
_LEAST = 30
"""Least number of test triples of a relation for an interval by resampling them."""
SCORES = {
    "system": "the model, or frequency: by how many training triples of the relation have the entity there",
    "measure": "mrr: mean reciprocal rank; hits_1, hits_3, hits_10: share of ranks up to that; filtered, both sides",
    "value": "over the test triples",
    "low": "lower end of its 95 % interval over test triples",
    "high": "its upper end",
    "tail": "the same where the tail is missing",
    "head": "where the head is missing",
}
RELATIONS = {
    "relation": "name",
    "train": "training triples",
    "test": "test triples",
    "mrr": "mean reciprocal rank of the model, filtered, both sides",
    "low": f"lower end of its 95 % interval over test triples; none with fewer than {_LEAST}",
    "high": "its upper end",
    "hits_10": "share of ranks up to 10",
    "frequency": "mean reciprocal rank of answers by frequency",
}
EXAMPLES = {
    "head": "name of the head",
    "relation": "name of the relation",
    "tail": "name of the true tail",
    "rank": "its rank",
    "answers": "the entities that score highest, with those that are true in other triples",
}


def score_rows(ranks: Mapping[str, Floats], settings: GraphTrainingSettings) -> list[dict[str, Any]]:
    """Return the rows of the table `scores`, one for each system and measure of ranks.

    Args:
        ranks: system -> float64 [test triples, 2], the filtered rank of the tail and of the head.
        settings: the settings, of which the number of resamples and the seed are read.
    """
    rows = list[dict[str, Any]]()
    for system, of_system in ranks.items():
        for measure, values in measures(of_system).items():
            ends = _interval(values.mean(1), settings)
            tail, head = values.mean(0).tolist()
            row = {"system": system, "measure": measure, "value": float(values.mean()), **ends}
            rows.append({**row, "tail": tail, "head": head})
    return rows


def measures(ranks: Floats) -> dict[str, Floats]:
    """Return name of each measure -> its value for each rank.

    The measures are the reciprocal rank, and one for each of 1, 3 and 10: 1 if the rank is at most this number, else 0.

    Args:
        ranks: float64 of any shape, the ranks of the true entities.

    Returns:
        For each measure float64 in the shape of `ranks`.
    """
    return {MRR: 1 / ranks, **{f"hits_{most}": (ranks <= most).astype(np.float64) for most in HITS}}


def relation_rows(
    graph: KnowledgeGraph, ranks: Mapping[str, Floats], settings: GraphTrainingSettings
) -> list[dict[str, Any]]:
    """Return the rows of the table `relations`, one for each relation of the test triples, the most frequent first.

    Args:
        graph: the graph.
        ranks: system -> float64 [test triples, 2], the filtered rank of the tail and of the head; the model comes
            first, then `frequency`.
        settings: the settings, of which the number of resamples and the seed are read.
    """
    trained = np.bincount(graph.train[:, RELATION], minlength=len(graph.relations))
    tested = np.bincount(graph.test[:, RELATION], minlength=len(graph.relations))
    rows, (of_model, by_frequency) = list[dict[str, Any]](), ranks.values()
    for relation in sorted(np.flatnonzero(tested).tolist(), key=lambda each: -tested[each]):
        its = graph.test[:, RELATION] == relation
        values = measures(of_model[its])
        rows.append(
            {
                "relation": graph.relations[relation],
                "train": int(trained[relation]),
                "test": int(tested[relation]),
                "mrr": float(values[MRR].mean()),
                **(_interval(values[MRR].mean(1), settings) if its.sum() >= _LEAST else {"low": None, "high": None}),
                "hits_10": float(values[f"hits_{HITS[-1]}"].mean()),
                "frequency": float((1 / by_frequency[its]).mean()),
            }
        )
    return rows


@torch.inference_mode()
def example_rows(graph: KnowledgeGraph, scorer: Scorer, ranks: Floats, seed: int) -> list[dict[str, Any]]:
    """Return rows of examples: test triples drawn at random, each with the tails that the model scores highest.

    Args:
        graph: the graph.
        scorer: function that returns the model's score of every entity as the missing one, for each query (head and
            relation, or relation and tail).
        ranks: float64 [test triples, 2], the model's ranks of tail and head.
        seed: seed of the draw.
    """
    drawn = seeds.child(seed, "knowledge graph", "examples").permutation(len(graph.test))[:_SHOWN]
    head, relation, tail = known_and_answer(graph.test[drawn], tail=True)
    best = scorer(head, relation, True).topk(min(_TOP, len(graph.entities)), dim=1).indices.tolist()
    return [
        {
            "head": graph.titles[head[row]],
            "relation": graph.relations[relation[row]],
            "tail": graph.titles[tail[row]],
            "rank": float(ranks[index, 0]),
            "answers": [graph.titles[entity] for entity in best[row]],
        }
        for row, index in enumerate(drawn.tolist())
    ]


def _interval(values: Floats, settings: GraphTrainingSettings) -> dict[str, float]:
    rng = seeds.child(settings.seed, "knowledge graph", "bootstrap", len(values))
    return interval(mean_draws(values[:, None], settings.draws, rng)[:, 0]).columns()
