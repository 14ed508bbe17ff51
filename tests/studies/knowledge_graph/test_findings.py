"""What a knowledge graph study says: its lead over frequency, and what gives answers away."""

import numpy as np
import pytest

from wordworth.records import Table
from wordworth.studies.knowledge_graph.findings import findings
from wordworth.studies.knowledge_graph.tables import SCORES, score_rows
from wordworth.text.knowledge_graph import KnowledgeGraph
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings

SETTINGS = GraphTrainingSettings(draws=200)
TRAIN = np.array([[0, 0, 1], [1, 0, 2], [2, 1, 0]])


def findings_by_name(  # noqa: PLR0913 - what differs between tests, each by its name
    test, model, frequency, *, gain=0.0, steps=(2_500, 5_000), kept=1, train=TRAIN
):
    graph = KnowledgeGraph("kg", tuple("abcd"), ("r", "s"), train, TRAIN, np.array(test), tuple("abcd"), ())
    ranks = {"transe": np.array(model, float), "frequency": np.array(frequency, float)}
    evaluations = [
        {"step": step, "mrr": 0.5 + number * gain, "kept": number == kept} for number, step in enumerate(steps)
    ]
    tables = {
        "scores": Table.of(score_rows(ranks, SETTINGS), SCORES),
        "evaluations": Table.of(evaluations, {"step": "", "mrr": "", "kept": ""}),
    }
    return {finding.name: finding for finding in findings(SETTINGS, graph, tables, ranks)}


@pytest.mark.parametrize(
    ("model", "frequency", "words"),
    [(1, 4, "surely ahead of"), (4, 1, "surely behind"), (2, 2, "not surely ahead of")],
)
def test_the_lead_over_frequency_has_its_interval(model, frequency, words):
    named = findings_by_name([[0, 1, 3]] * 50, [[model] * 2] * 50, [[frequency] * 2] * 50)
    assert f"It is {words} answers by frequency" in named["verdict"].text


def test_test_triples_that_say_little_are_counted():
    named = findings_by_name([[1, 1, 0], [0, 1, 3]], [[1, 1]] * 2, [[2, 2]] * 2)
    assert (
        "50 % of the test triples" in named["warning.linked"].text
    )  # a - b is linked in training, the other way round
    assert named["warning.unseen"].numbers == {"triples": 1}  # no training triple has d
    assert "warning.still_learning" not in named
    assert "more epochs" in findings_by_name([[0, 1, 2]], [[1, 1]], [[2, 2]], gain=0.01)["warning.still_learning"].text


def test_test_triples_that_are_training_triples_are_counted_apart():
    named = findings_by_name([[0, 0, 1], [0, 1, 3]], [[1, 1]] * 2, [[2, 2]] * 2)
    assert named["warning.repeated"].text.startswith("1 test triple is a training triple too")
    assert "warning.linked" not in named
    assert named["warning.unseen"].text.startswith("1 test triple has an entity")


def test_training_triples_that_repeat_others_are_counted():
    scores = [[0, 1, 3]], [[1, 1]], [[2, 2]]
    assert "warning.copies" not in findings_by_name(*scores)
    named = findings_by_name(*scores, train=np.concatenate([TRAIN, TRAIN[:2], TRAIN[:1]]))
    assert named["warning.copies"].text.startswith("3 of 6 training triples repeat another")
    assert named["warning.copies"].numbers == {"triples": 3}


def test_a_training_that_hardly_began_is_told_with_the_mend():
    assert not {"warning.short", "warning.best_first"} & findings_by_name([[0, 1, 2]], [[1, 1]], [[2, 2]]).keys()
    named = findings_by_name([[0, 1, 2]], [[1, 1]], [[2, 2]], steps=(25, 50))
    assert named["warning.short"].text.startswith(
        "The training made only 50 updates and hardly began: leave the epochs"
    )
    named = findings_by_name([[0, 1, 2]], [[1, 1]], [[2, 2]], kept=0)
    assert "after 2,500 updates, was the best" in named["warning.best_first"].text
