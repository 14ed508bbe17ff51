"""The folder of a training is free or its own, and goes on as the training that it began with alone."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.training_folder_checks import TRAINING, require_own_or_free, require_same


def test_a_folder_with_something_else_is_refused_and_one_with_a_training_is_not(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="something else already"):
        require_own_or_free(tmp_path, "knowledge_graph")
    require_same({"seed": 0}, tmp_path / TRAINING)
    assert require_own_or_free(tmp_path, "knowledge_graph").path == tmp_path


def test_another_training_does_not_go_on_there(tmp_path):
    require_same({"seed": 0, "files": ["a"]}, tmp_path / TRAINING)
    require_same({"seed": 0, "files": ["a"]}, tmp_path / TRAINING)
    with pytest.raises(BadInput, match="seed"):
        require_same({"seed": 1, "files": ["a"]}, tmp_path / TRAINING)
