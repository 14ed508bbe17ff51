import numpy as np

from wordworth.measures.metrics import metric
from wordworth.studies.languages.question_answering.squad_scores import MEASURES, squad_scores
from wordworth.tasks.examples import Answer, span_labels


def test_means_are_the_official_metrics():
    gold = span_labels([(Answer("the red film", 0), Answer("film", 8)), (Answer("two", 3),), (Answer("我看", 0),)])
    answers = ["a red story", "Two!", "我"]
    scores = squad_scores(gold, answers)
    assert scores.tolist() == [[0.5, 0.0], [1.0, 1.0], [0.0, 0.0]]
    for name, column in zip(MEASURES, scores.T, strict=True):
        assert np.isclose(metric(name, ()).score(gold, tuple(answers)), column.mean())
