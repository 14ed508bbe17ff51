"""One training on a small graph, shared by the tests of the study, its page and its command."""

import pytest
from tests.training.knowledge_graph.graphs import write_steps

import wordworth as ww

FAST = {"dimension": 16, "epochs": 100, "batch_size": 64, "negatives": 16, "margin": 4.0, "learning_rate": 0.05}


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """The folder of triples, the folder of the training, and its record."""
    folder = tmp_path_factory.mktemp("kg")
    triples = write_steps(folder / "line", ring=False)
    return triples, folder / "out", ww.train_knowledge_graph(triples, folder / "out", draws=100, **FAST)
