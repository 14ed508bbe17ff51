"""Tables of ranks: means of both sides, intervals over triples, none where a relation has few of them."""

import numpy as np
import pytest

from wordworth.studies.knowledge_graph.tables import measures, relation_rows, score_rows
from wordworth.text.knowledge_graph import KnowledgeGraph
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings

RANKS = np.array([[1.0, 2.0], [4.0, 20.0]])
SETTINGS = GraphTrainingSettings(draws=100)


def test_measures_of_ranks_by_hand():
    means = {name: float(values.mean()) for name, values in measures(RANKS).items()}
    assert means == pytest.approx({"mrr": (1 + 0.5 + 0.25 + 0.05) / 4, "hits_1": 0.25, "hits_3": 0.5, "hits_10": 0.75})


def test_a_row_has_both_sides_and_an_interval_around_the_mean():
    row = score_rows({"transe": RANKS}, SETTINGS)[0]
    assert (row["tail"], row["head"]) == (0.625, 0.275)
    assert row["low"] <= row["value"] <= row["high"]


def test_a_relation_with_few_test_triples_has_no_interval():
    test = np.array([[0, 0, 1]] * 40 + [[0, 1, 1]] * 2)
    graph = KnowledgeGraph("kg", ("a", "b"), ("r", "s"), test, test, test, ("a", "b"), ())
    ranks = np.tile([1.0, 2.0], (42, 1))
    many, few = relation_rows(graph, {"transe": ranks, "frequency": ranks}, SETTINGS)
    assert (many["relation"], many["test"], few["relation"], few["test"]) == ("r", 40, "s", 2)
    assert many["low"] == many["high"] == many["mrr"] == 0.75
    assert few["low"] is few["high"] is None
