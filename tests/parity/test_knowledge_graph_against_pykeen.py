"""Scores and filtered ranks of a knowledge graph are those of PyKEEN, by its own models and evaluator."""

import numpy as np
import pytest
import torch
from tests.training.knowledge_graph.graphs import write_steps

from wordworth.models.knowledge_graph import GRAPH_MODELS
from wordworth.text.knowledge_graph import read_graph
from wordworth.training.knowledge_graph.filtered_ranks import KnownAnswers, filtered_ranks, model_scorer

pytest.importorskip("pykeen")
pytestmark = pytest.mark.peers
DIMENSION = 8


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return read_graph(write_steps(tmp_path_factory.mktemp("kg") / "ring", ring=True))


def theirs_of(name, ours, graph):
    """PyKEEN's model of that name with our vectors, and its training triples."""
    from pykeen import models
    from pykeen.triples import CoreTriplesFactory

    sizes = {"num_entities": len(graph.entities), "num_relations": len(graph.relations)}
    triples = CoreTriplesFactory.create(torch.from_numpy(graph.train), **sizes)
    kinds = {"transe": (models.TransE, {"scoring_fct_norm": 2}), "distmult": (models.DistMult, {})}
    kind, more = kinds[name]
    model = kind(triples_factory=triples, embedding_dim=DIMENSION, random_seed=0, **more)
    with torch.no_grad():
        for representation, vectors in (
            (model.entity_representations[0], ours.entities),
            (model.relation_representations[0], ours.relations),
        ):
            representation._embeddings.weight.copy_(vectors)
    return model.eval()


@pytest.mark.parametrize("name", ["transe", "distmult"])
def test_every_candidate_scores_as_pykeen_scores_it(name, graph):
    ours = GRAPH_MODELS.get(name)(
        len(graph.entities), len(graph.relations), DIMENSION, 5.0, torch.Generator().manual_seed(0)
    )
    theirs, score = theirs_of(name, ours, graph), model_scorer(ours)
    head, relation, tail = torch.from_numpy(graph.test).T
    with torch.inference_mode():
        tails = theirs.score_t(torch.stack((head, relation), 1)) + (5.0 if name == "transe" else 0.0)
        heads = theirs.score_h(torch.stack((relation, tail), 1)) + (5.0 if name == "transe" else 0.0)
        own = [score(graph.test[:, each], graph.test[:, 1], is_tail) for each, is_tail in ((0, True), (2, False))]
    assert torch.allclose(own[0], tails, atol=1e-4)
    assert torch.allclose(own[1], heads, atol=1e-4)


@pytest.mark.parametrize("name", ["transe", "distmult"])
def test_filtered_ranks_are_those_of_its_evaluator(name, graph):
    from pykeen.evaluation import RankBasedEvaluator

    ours = GRAPH_MODELS.get(name)(
        len(graph.entities), len(graph.relations), DIMENSION, 5.0, torch.Generator().manual_seed(0)
    )
    known = KnownAnswers(graph.triples, len(graph.entities))
    ranks = filtered_ranks(model_scorer(ours), graph.test, known)
    result = RankBasedEvaluator(filtered=True).evaluate(
        theirs_of(name, ours, graph),
        torch.from_numpy(graph.test),
        additional_filter_triples=[torch.from_numpy(graph.train), torch.from_numpy(graph.valid)],
        use_tqdm=False,
        batch_size=4,
    )
    for side, column in (("tail", ranks[:, 0]), ("head", ranks[:, 1]), ("both", ranks)):
        for metric, value in (
            ("inverse_harmonic_mean_rank", np.mean(1 / column)),
            ("hits_at_3", np.mean(column <= 3)),
            ("arithmetic_mean_rank", np.mean(column)),
        ):
            assert result.get_metric(f"{side}.realistic.{metric}") == pytest.approx(value, abs=1e-6)
