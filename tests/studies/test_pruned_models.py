"""Studies that look inside read a pruned model as it is: its heads keep their numbers, and lost ones are left out."""

import numpy as np
import pytest
from tests.studies.syntactic_relations.test_study import treebank  # noqa: F401 - a fixture

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.pruning import first_layers, heads_of, without_heads
from wordworth.models.save_encoder import save
from wordworth.studies.syntax import attention_probe, structural_probes
from wordworth.training.probes.train_probe import ProbeTraining

LOST = ((3, 0), (3, 2), (3, 3))
"""Heads of the last layer: all that other heads see is as in the whole model."""
LEFT = [(layer + 1, head + 1) for layer in range(4) for head in range(4) if (layer, head) not in LOST]
TEXT = ["The cat sat because it was tired."]
TEXTS = [f"The {noun} by the {place} was old in {year}." for year in range(1900, 1910) for noun, place in (
    ("bank", "river"), ("house", "road"))]  # fmt: skip


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    encoder, folder = ww.load("mini"), tmp_path_factory.mktemp("pruned") / "small"
    save(encoder.with_model(without_heads(encoder.model, LOST)), folder)
    return folder


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    encoder, folder = ww.load("mini"), tmp_path_factory.mktemp("pruned") / "short"
    save(encoder.with_model(first_layers(encoder.model, 3)), folder)
    return folder


def by_head(record, name="heads"):
    return {(row["layer"], row["head"]): row for row in record.tables[name].rows()}


def test_heads_keep_their_numbers(small):
    assert [(layer + 1, head + 1) for layer, head in heads_of(ww.load(small).model)] == LEFT


def test_attention_of_the_whole_model_beside_the_pruned_one(small, tmp_path):
    record = ww.study_attention(TEXT, model="mini", beside=str(small), out=tmp_path / "run")
    whole, pruned = (
        {(row["layer"], row["head"]): row for row in record.tables["heads"].rows() if row["model"] == name}
        for name in ("mini", "small")
    )
    assert len(whole) == 16
    assert list(pruned) == LEFT
    for head, row in whole.items():
        assert (row["difference"] is None) is (head not in LEFT)
    assert all(row["difference"] < 1e-6 for row in pruned.values())  # the last layer is all that changed
    assert record.finding("warning.removed").numbers == {"removed": 3}
    assert not any(each.name == "warning.row_sums" for each in record.findings)
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert page.count("removed from the model") >= 3
    assert '"removed": [[4, 1], [4, 3], [4, 4]]' in page


def test_saved_maps_of_a_pruned_model_are_read_as_they_were(small, tmp_path):
    own = ww.study_attention(TEXT, model=str(small), save_maps=tmp_path / "maps.npz")
    read = ww.study_attention([], arrays=tmp_path / "maps.npz")
    assert list(by_head(read)) == list(by_head(own)) == LEFT
    means = {row["token"]: row["received"] for row in own.tables["tokens"].rows()}
    assert sum(means.values()) == pytest.approx(1, abs=1e-5)


def test_attention_beside_a_model_of_fewer_layers(short):
    record = ww.study_attention(TEXT, model="mini", beside=str(short))
    assert len(record.tables["heads"].rows()) == 16 + 12
    assert all(row["difference"] is None for row in record.tables["heads"].rows())
    assert "different numbers of layers" in record.finding("warning.shapes").text


@pytest.mark.slow
def test_patterns_of_the_heads_that_are_left_are_those_of_the_whole_model(small, tmp_path):
    choices = {"length": 32, "limit": 8, "draws": 100}
    whole = ww.study_patterns(TEXTS, model="mini", **choices)
    pruned = ww.study_patterns(TEXTS, model=str(small), out=tmp_path / "run", **choices)
    heads = by_head(pruned)
    assert list(heads) == LEFT
    for head, row in heads.items():
        assert row["entropy"] == pytest.approx(by_head(whole)[head]["entropy"], abs=1e-5)
    last = pruned.tables["layers"].rows()[3]
    assert last["entropy"] == pytest.approx(heads[4, 2]["entropy"])
    assert last["entropy_low"] <= last["entropy"] <= last["entropy_high"]
    assert (tmp_path / "run" / "report.html").read_text(encoding="utf-8").count("removed from the model") >= 3


def test_relations_of_the_heads_that_are_left_are_those_of_the_whole_model(small, treebank, tmp_path):  # noqa: F811
    choices = {"treebank": treebank, "words": 20, "draws": 100}
    whole, pruned = (
        ww.study_relations(model=model, out=tmp_path / name, **choices)
        for model, name in (("mini", "whole"), (str(small), "small"))
    )
    assert list(dict.fromkeys(by_head(pruned))) == LEFT
    known = {(row["layer"], row["head"], row["direction"]): row["accuracy"] for row in whole.tables["heads"].rows()}
    for row in pruned.tables["heads"].rows():
        assert row["accuracy"] == known[row["layer"], row["head"], row["direction"]]
    assert all((row["layer"], row["head"]) in LEFT for row in pruned.tables["relations"].rows())


def test_neighbours_by_a_head_that_is_left_and_by_one_that_was_removed(small):
    query = "The [bank] by the river was new."
    whole, pruned = (
        ww.study_neighbours(query, TEXTS, model=model, layer=4, head=2, nearest=5) for model in ("mini", str(small))
    )
    cosines = [[row["cosine"] for row in record.tables["contexts"].rows()] for record in (whole, pruned)]
    assert cosines[0] == pytest.approx(cosines[1], abs=1e-5)
    with pytest.raises(BadInput, match="head 3 of layer 4 was removed from this model; the layer has 2"):
        ww.study_neighbours(query, TEXTS, model=str(small), layer=4, head=3)
    with pytest.raises(BadInput, match="no head 5"):
        ww.study_neighbours(query, TEXTS, model=str(small), layer=4, head=5)


def test_similarity_adds_up_in_a_pruned_model(small):
    texts = ["The film was great.", "A wonderful movie."]
    (pair,) = ww.study_similarity(texts, model=str(small)).tables["pairs"].rows()
    first, second = ww.load(small).encode(texts, normalize=True)
    assert pair["cosine"] == pytest.approx(float(np.dot(first, second)), abs=1e-6)


@pytest.mark.slow
def test_trees_are_looked_for_in_the_vectors_and_heads_that_are_left(small, treebank, monkeypatch):  # noqa: F811
    for module in (structural_probes, attention_probe):
        monkeypatch.setattr(module, "TRAINING", ProbeTraining(passes=2, batch_size=64))
    record = ww.study_syntax(treebank, model=str(small), rank=4, draws=100)
    layers = [row["layer"] for row in record.tables["probes"].rows() if row["source"] == "random weights"]
    assert layers == 2 * [0, 1, 2, 3, 4]
    assert {row["source"] for row in record.tables["pairs"].rows()} >= {"attention", "distance alone"}
