"""`kg train` writes vectors with their identifiers and a record; the folder goes on, and holds nothing else."""

import csv
import shutil

import numpy as np
import pytest
from tests.studies.knowledge_graph.conftest import FAST
from tests.training.knowledge_graph.graphs import ENTITIES, STEPS

import wordworth as ww
from wordworth.errors import BadInput


def test_vectors_are_written_with_the_identifiers_of_their_rows(trained):
    _, out, _ = trained
    for name, rows, width in (("entities", ENTITIES, 16), ("relations", len(STEPS), 16)):
        vectors = np.load(out / f"{name}.npy", allow_pickle=False)
        assert (vectors.shape, vectors.dtype) == ((rows, width), np.float32)
        with (out / f"{name}.tsv").open(newline="") as file:
            read = list(csv.DictReader(file, delimiter="\t"))
        assert len(read) == rows
        assert list(read[0]) == ["id", "name"]


def test_the_record_has_ranks_of_the_model_and_of_frequency(trained):
    _, out, record = trained
    assert record == ww.read_record(out)
    scores = {(row["system"], row["measure"]): row for row in record.tables["scores"].rows()}
    assert {system for system, _ in scores} == {"transe", "frequency"}
    assert (
        scores["transe", "hits_1"]["value"] <= scores["transe", "mrr"]["value"] <= scores["transe", "hits_10"]["value"]
    )
    assert record.data["train"] + record.data["valid"] + record.data["test"] == sum(
        ENTITIES - step for step in STEPS.values()
    )
    assert sum(row["test"] for row in record.tables["relations"].rows()) == record.data["test"]


def test_the_same_command_reads_what_has_ended_and_another_is_refused(trained):
    triples, out, record = trained
    assert ww.train_knowledge_graph(triples, out, draws=100, **FAST) == record
    with pytest.raises(BadInput, match="negatives"):
        ww.train_knowledge_graph(triples, out, draws=100, **{**FAST, "negatives": 8})


def test_a_folder_that_a_kill_left_without_some_vectors_has_not_ended(trained, tmp_path):
    triples, out, record = trained
    torn = shutil.copytree(out, tmp_path / "out")
    (torn / "relations.npy").unlink()
    assert ww.train_knowledge_graph(triples, torn, draws=100, **FAST).tables == record.tables
    assert (torn / "relations.npy").read_bytes() == (out / "relations.npy").read_bytes()


def test_the_same_seed_gives_the_same_bytes(trained, tmp_path):
    triples, out, record = trained
    again = ww.train_knowledge_graph(triples, tmp_path / "out", draws=100, **FAST)
    assert (tmp_path / "out" / "entities.npy").read_bytes() == (out / "entities.npy").read_bytes()
    assert again.tables == record.tables
    assert again.findings == record.findings


def test_a_dimension_that_is_refused_leaves_the_folder_free_for_the_one_that_is_advised(trained, tmp_path):
    triples, _, _ = trained
    with pytest.raises(BadInput, match="give 18"):
        ww.train_knowledge_graph(triples, tmp_path / "out", model="rotate", **{**FAST, "dimension": 17})
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_else_is_left_as_it_is(trained, tmp_path):
    triples, _, _ = trained
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="something else"):
        ww.train_knowledge_graph(triples, tmp_path, **FAST)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_bad_triples_write_nothing(tmp_path, trained):
    triples, _, _ = trained
    broken = shutil.copytree(triples, tmp_path / "broken")
    (broken / "train.tsv").write_text("a\tb\n")
    for path, message in (
        (broken, "a line of 2 fields"),
        (tmp_path / "none", "no such file"),
        (tmp_path, "no file of train triples"),
    ):
        with pytest.raises(BadInput, match=message):
            ww.train_knowledge_graph(path, tmp_path / "out", **FAST)
    assert not (tmp_path / "out").exists()
