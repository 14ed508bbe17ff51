from functools import partial

import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.studies.finetuning_changes import results
from wordworth.testing.sample_tasks import sample_task

SETTINGS = {"epochs": 6, "batch_size": 8, "learning_rate": 1e-3, "processes": 1, "pooling": "mean"}


@pytest.fixture(scope="session")
def encoder(tmp_path_factory):
    return write_tiny(tmp_path_factory.mktemp("start") / "encoder", "bert", max_position_embeddings=130)


@pytest.fixture(scope="session")
def run(tmp_path_factory, encoder):
    """A run that kept its path, with two seeds."""
    out = tmp_path_factory.mktemp("run")
    ww.finetune(sample_task("single"), model=str(encoder), restarts=2, keep_path=True, out=out, **SETTINGS)
    return out


@pytest.fixture(scope="session")
def scratch(tmp_path_factory, encoder):
    out = tmp_path_factory.mktemp("scratch")
    ww.finetune(sample_task("single"), model=str(encoder), restarts=1, from_scratch=True, out=out, **SETTINGS)
    return out


@pytest.fixture(scope="session")
def pairs(tmp_path_factory, encoder):
    """A run from the same start on another task, which kept nothing."""
    out = tmp_path_factory.mktemp("pairs")
    ww.finetune(sample_task("pair"), model=str(encoder), restarts=1, out=out, **SETTINGS)
    return out


@pytest.fixture(scope="session")
def record(run, scratch, pairs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "STEPS", 20)
        patch.setattr(results, "train_network", partial(results.train_network, steps=20))
        return ww.study_finetuning(run, scratch_run=scratch, other_task=pairs, points=5, draws=100)
