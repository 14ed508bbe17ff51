"""Answers by frequency count the training triples of a relation, on either side."""

import numpy as np

from wordworth.studies.knowledge_graph.frequency_baseline import frequency_scorer
from wordworth.text.knowledge_graph import read_graph


def test_an_entity_scores_how_often_it_stands_there(tmp_path):
    rows = {"train": "a\tr\tb\nc\tr\tb\na\tr\tc\nb\ts\ta\n", "valid": "c\tr\ta\n", "test": "c\ts\ta\n"}
    for part, text in rows.items():
        (tmp_path / f"{part}.tsv").write_text(text)
    score = frequency_scorer(read_graph(tmp_path))
    known, relations = np.array([0, 2, 1]), np.array([0, 0, 1])
    assert score(known, relations, True).tolist() == [[0, 2, 1], [0, 2, 1], [1, 0, 0]]
    assert score(known, relations, False).tolist() == [[2, 0, 1], [2, 0, 1], [0, 1, 0]]
