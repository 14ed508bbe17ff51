import pytest

from wordworth.errors import BadInput
from wordworth.training.finetuning.run_folder import find_model_folder, model_folder, output_file


def test_the_model_is_in_the_folder_itself_or_in_its_folder_model(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "wordworth.json").write_text("{}")
    assert model_folder(tmp_path) == model_folder(tmp_path / "model") == tmp_path / "model"


def test_a_folder_without_a_model_has_none_and_asking_for_it_says_why(tmp_path):
    assert find_model_folder(tmp_path) is None
    (tmp_path / "file").write_text("")
    for name, told in ((".", r"no wordworth\.json"), ("file", "not a folder"), ("x", "no such folder")):
        with pytest.raises(BadInput, match=told):
            model_folder(tmp_path / name)


def test_of_two_models_the_one_in_the_folder_itself_is_taken(tmp_path):
    (tmp_path / "model").mkdir()
    for folder in (tmp_path, tmp_path / "model"):
        (folder / "wordworth.json").write_text("{}")
    assert find_model_folder(tmp_path) == tmp_path


def test_a_file_of_the_output_is_found_from_either_folder(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "record.json").write_text("{}")
    for run in (tmp_path, tmp_path / "model"):
        assert output_file(run, "record.json") == tmp_path / "record.json"
    assert output_file(tmp_path, "other.json") is None
    assert output_file(tmp_path, "model") is None  # a folder is no file
