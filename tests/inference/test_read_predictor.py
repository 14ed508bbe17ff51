"""The one door to the models in folders."""

import pytest
from tests.inference.test_rung_predictor import in_folder
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.inference.read_predictor import needs_torch, read_predictor
from wordworth.inference.rung_predictor import RungPredictor
from wordworth.inference.task_predictor import TaskPredictor


def test_a_rung_without_an_encoder_needs_no_torch(tmp_path):
    folder = in_folder(tmp_path / "model")
    assert not needs_torch(folder)
    assert isinstance(read_predictor(folder), RungPredictor)
    assert isinstance(read_predictor(tmp_path), RungPredictor), "as of the folder of a study"


def test_a_fine_tuned_model_needs_it(tmp_path):
    folder = write_tuned(tmp_path, steps=1)
    assert needs_torch(folder)
    assert isinstance(read_predictor(folder), TaskPredictor)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        read_predictor(tmp_path)
