"""The encoder that a run began from is found by what the run kept, and checked against it."""

import json

import pytest
from safetensors.torch import load_file, save_file
from tests.inference.tuned_model import write_rows, write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.run_with_initial_encoder import read_with_start
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """The folder of a run, and that of the encoder that it began from."""
    folder = tmp_path_factory.mktemp("start")
    encoder = write_tiny(folder / "tiny", max_position_embeddings=130)
    rows = write_rows(folder / "rows.csv", sample_task("single"))
    ww.finetune(data=rows, model=str(encoder), restarts=1, epochs=1, out=folder / "run", processes=1)
    return folder / "run", encoder


def test_the_start_is_the_encoder_before_fine_tuning(tuned):
    run, encoder = tuned
    base = read_with_start(run, None)
    assert base.verified
    assert fingerprint(base.start) == fingerprint(ww.load(str(encoder)))
    assert fingerprint(base.start) != fingerprint(base.run.encoder)


def test_another_model_is_no_start(tuned, tmp_path):
    other = write_tiny(tmp_path / "other", max_position_embeddings=130)
    weights = load_file(other / "model.safetensors")
    save_file({name: value * 1.01 for name, value in weights.items()}, other / "model.safetensors")
    with pytest.raises(BadInput, match="its weights differ"):
        read_with_start(tuned[0], str(other))
    with pytest.raises(BadInput, match="is not here") as error:
        read_with_start(tuned[0], str(tmp_path / "none"))
    assert "--start" in error.value.mend


def test_a_run_that_says_nothing_of_its_start_is_refused_but_takes_one(tmp_path):
    run = write_tuned(tmp_path, steps=2)
    assert "start" not in json.loads((run / "wordworth.json").read_text())
    with pytest.raises(BadInput, match="does not say which model it began from"):
        read_with_start(run, None)
    assert not read_with_start(run, str(tmp_path / "encoder")).verified
