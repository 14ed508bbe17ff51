"""A training finds what a graph is made of, and goes on where it was stopped, to the same bytes."""

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from tests.training.knowledge_graph.graphs import ENTITIES, write_steps

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.text.knowledge_graph import read_graph
from wordworth.training.knowledge_graph.filtered_ranks import KnownAnswers, filtered_ranks, model_scorer
from wordworth.training.knowledge_graph.run import new_model, steps_of, train
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return read_graph(write_steps(tmp_path_factory.mktemp("kg") / "line", ring=False))


def settings(**changed):
    fast = {"dimension": 16, "epochs": 400, "batch_size": 64, "negatives": 16, "margin": 1.0, "learning_rate": 0.05}
    return GraphTrainingSettings(**{**fast, **changed})


@pytest.mark.parametrize(("model", "ring"), [("transe", False), ("rotate", True)])
def test_steps_along_a_line_or_a_ring_are_learned(tmp_path, model, ring):
    graph = read_graph(write_steps(tmp_path / "kg", ring=ring))
    known = KnownAnswers(graph.triples, ENTITIES)
    choices = settings(model=model)
    result = train(choices, graph, known, tmp_path / "training", SILENT)
    trained, untrained = (
        float((filtered_ranks(model_scorer(each), graph.test, known) <= 3).mean())
        for each in (result.model, new_model(choices, graph))
    )
    assert trained > 0.7
    assert untrained < 0.4
    assert len(result.losses) == steps_of(choices, graph) == 400
    assert result.losses[-1] < result.losses[0]


def test_transe_has_many_more_answers_among_the_first_ten_than_chance(tmp_path):
    """Of 200 entities ten are a twentieth."""
    graph = read_graph(write_steps(tmp_path / "kg", ring=False, entities=200, held_out=50))
    known, choices = KnownAnswers(graph.triples, 200), settings(epochs=100, negatives=32, margin=3.0)
    result = train(choices, graph, known, tmp_path / "training", SILENT)
    hits, untrained = (
        int((filtered_ranks(model_scorer(each), graph.test, known) <= 10).sum())
        for each in (result.model, new_model(choices, graph))
    )
    assert binomtest(hits, 100, 10 / 200, alternative="greater").pvalue < 1e-9
    assert hits > 3 * untrained


class Stop(Exception):
    pass


def test_a_stopped_training_goes_on_to_the_same_vectors(graph, tmp_path):
    class Stopping:
        def step(self, title, total=None):  # noqa: ARG002 - a Progress
            from contextlib import contextmanager

            @contextmanager
            def steps():
                yield self

            return steps()

        left = 30

        def advance(self, amount=1):  # noqa: ARG002 - a Step
            self.left -= 1
            if self.left == 0:
                raise Stop

        def skip(self, amount):
            pass

        def note(self, message):
            pass

    known = KnownAnswers(graph.triples, ENTITIES)
    choices = settings(epochs=50, save_every=1e-9)
    whole = train(choices, graph, known, tmp_path / "whole", SILENT)
    with pytest.raises(Stop):
        train(choices, graph, known, tmp_path / "parts", Stopping())
    again = train(choices, graph, known, tmp_path / "parts", SILENT)
    assert torch.equal(again.model.entities, whole.model.entities)
    assert again.losses == whole.losses
    assert again.evaluations == whole.evaluations


def test_few_triples_have_more_epochs_by_default(graph):
    assert steps_of(GraphTrainingSettings(), graph) >= 5_000
    assert steps_of(GraphTrainingSettings(epochs=3, batch_size=10), graph) == 3 * int(np.ceil(len(graph.train) / 10))


def test_an_unknown_model_is_refused(graph):
    with pytest.raises(BadInput, match="transe"):
        new_model(GraphTrainingSettings(model="trans"), graph)
