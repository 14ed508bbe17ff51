"""What `build` keeps of an index: a model's lasting name, and what it computes in."""

from tests.models.tiny import write_tiny
from tests.retrieval.small_index import build, write_table

import wordworth as ww
from wordworth.retrieval.manifest import Manifest


def test_a_model_in_a_folder_is_found_from_another_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "table.txt")
    ww.build_index(["word1"], "index", model="table.txt")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert len(ww.search("word1", tmp_path / "index")) == 1


def test_an_index_of_an_encoder_is_asked_in_the_data_type_in_which_it_was_made(tmp_path):
    write_tiny(tmp_path / "tiny")
    ww.build_index(["the cab", "a bad sea"], tmp_path / "index", model=str(tmp_path / "tiny"), dtype="bfloat16")
    index = ww.load_index(tmp_path / "index")
    assert index.manifest.dtype == "bfloat16"
    assert index.load_model().dtype == "bfloat16"
    results = index.search(["the cab", "a bad sea"], k=1)
    assert results["text"].tolist() == ["the cab", "a bad sea"]
    assert results["query"].tolist() == [0, 1]
    assert (results["score"] > 0.999).all()


def test_an_index_says_what_made_it(tmp_path):
    manifest = Manifest.read(build(tmp_path))
    assert (manifest.rows, manifest.width, manifest.dtype, manifest.precision) == (200, 8, "float32", "float32")
    assert manifest.segments[0].made_of.keys() >= {"input", "model", "text"}
    assert len(manifest.canaries) == 16
