"""A run is carried on from the states in its folder."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import POINT, order_of

from wordworth.progress import STILL
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_result import RunSpec


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("finetune") / "tiny"))


def test_a_damaged_state_is_said_and_the_run_goes_on_from_the_one_before_it(encoder, tmp_path):
    bench, notes = order_of(encoder, tmp_path).load(), []
    straight = run_to(bench, RunSpec(POINT, 0), tmp_path / "straight", STILL)
    for share in (0.25, 0.5):
        run_to(bench, RunSpec(POINT, 0, share), tmp_path / "stopped", STILL)
    older, newest = sorted((tmp_path / "stopped" / "states").iterdir())
    newest.write_bytes(newest.read_bytes()[:-9])
    found, made = [], []
    step = SimpleNamespace(skip=found.append, advance=lambda amount=1: made.append(amount))
    work = RunSpec(POINT, 0)
    result = run_to(bench, work, tmp_path / "stopped", step, notes.append)
    assert len(found) == 1
    assert found[0] + sum(made) == work.cost(bench.split) > result.steps
    assert found[0] == int(older.name[5:14]) > 0
    assert "is damaged" in notes[0]
    assert f"after step {found[0]} is used" in notes[1]
    assert result.evaluations == straight.evaluations
    assert np.array_equal(result.test, straight.test)
