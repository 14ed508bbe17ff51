"""What `build` keeps of an index: a model's lasting name, and what it computes in."""

import json

import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from tests.models.tiny import write_prompts, write_tiny
from tests.retrieval.small_index import build, two_prompts, write_table

import wordworth as ww
from wordworth.errors import BadInput
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


TEXTS = ["cab", "bad sea", "zebra", "the cab"]


def of_two_prompts(folder, **settings):
    model = two_prompts(folder / "tiny")
    report = ww.build_index(TEXTS, folder / "index", model=str(model), dtype="float32", **settings)
    return ww.load(model), report


def stored(index):
    return index.vectors[0].values(np.arange(len(index)))


def test_texts_are_embedded_behind_the_prompt_of_documents_and_queries_behind_their_own(tmp_path):
    encoder, report = of_two_prompts(tmp_path)
    assert report.prompts == {"query": "the ", "document": "a "}
    index = ww.load_index(tmp_path / "index")
    assert index.manifest.prompts == report.prompts
    documents = encoder.with_prompt("passage").encode(TEXTS, normalize=True)
    assert np.allclose(stored(index), documents, atol=1e-6)
    query = encoder.with_prompt("query").encode("cab")
    assert np.allclose(index.query_vectors(["cab"])[0], query, atol=1e-6)
    cosines = documents @ query / np.linalg.norm(query)
    found = ww.search("cab", tmp_path / "index", k=4)
    assert found["id"].tolist() == np.argsort(-cosines).tolist()
    assert np.allclose(found["score"], np.sort(cosines)[::-1], atol=1e-5)


def test_rows_that_are_added_stand_behind_the_prompt_that_the_index_has(tmp_path):
    of_two_prompts(tmp_path)
    write_prompts(tmp_path / "tiny", {"query": "b ", "document": "c "})
    ww.add_to_index(["cab"], tmp_path / "index")
    index = ww.load_index(tmp_path / "index")
    assert np.allclose(index.vectors[1].values(np.array([0])), index.vectors[0].values(np.array([0])), atol=1e-6)
    assert index.load_model().prompt == "the "


def test_an_index_from_before_its_model_had_prompts_is_asked_and_extended_as_it_was_built(tmp_path):
    write_tiny(tmp_path / "tiny")
    ww.build_index(TEXTS, tmp_path / "index", model=str(tmp_path / "tiny"), dtype="float32")
    manifest = json.loads((tmp_path / "index" / "index.json").read_text())
    del manifest["prompts"]
    (tmp_path / "index" / "index.json").write_text(json.dumps(manifest))
    before = ww.search("cab", tmp_path / "index")
    two_prompts(tmp_path / "tiny")
    assert ww.search("cab", tmp_path / "index").equals(before)
    assert ww.add_to_index(["cab"], tmp_path / "index").prompts == {}
    assert ww.search("cab", tmp_path / "index", k=2)["text"].tolist() == ["cab", "cab"]


def test_an_index_with_other_prompts_is_not_left_as_if_it_were_the_same(tmp_path):
    of_two_prompts(tmp_path)
    _, report = of_two_prompts(tmp_path)
    assert report.unchanged
    assert report.prompts == {"query": "the ", "document": "a "}
    two_prompts(tmp_path / "tiny", {"query": "the ", "passage": "b "})
    settings = {"model": str(tmp_path / "tiny"), "dtype": "float32"}
    with pytest.raises(BadInput, match="an index is here that was made of other texts, or otherwise"):
        ww.build_index(TEXTS, tmp_path / "index", **settings)


def test_vectors_that_are_given_are_those_behind_the_prompt_of_documents(tmp_path):
    model = str(two_prompts(tmp_path / "tiny"))
    options = {"model": model, "dtype": "float32"}
    ww.embed(TEXTS, tmp_path / "documents.npy", prompt="passage", **options)
    ww.embed(TEXTS, tmp_path / "plain.npy", **options)
    with pytest.raises(BadInput, match="is not what tiny gives for its text"):
        ww.build_index(TEXTS, tmp_path / "index", vectors=tmp_path / "plain.npy", **options)
    ww.build_index(TEXTS, tmp_path / "index", vectors=tmp_path / "documents.npy", **options)
    assert ww.load_index(tmp_path / "index").manifest.prompts == {"query": "the ", "document": "a "}


def test_another_model_is_refused_whatever_its_prompts(tmp_path):
    of_two_prompts(tmp_path)
    other = two_prompts(tmp_path / "other")
    weights = load_file(other / "model.safetensors")
    name = min(weights)
    save_file({**weights, name: weights[name] + 1}, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BadInput, match="is not the model that this index was made with"):
        ww.search("cab", tmp_path / "index", model=str(other))
    assert len(ww.search("cab", tmp_path / "index", model=str(write_tiny(tmp_path / "moved")))) == 4
