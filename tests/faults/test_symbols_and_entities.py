"""Bad triples, ontologies, spans, links, features and visits: one error of one line, exit code 2, and its place."""

import json

import numpy as np
import pytest
from tests.cli.terminal import wordworth
from tests.models.entity_fusion.conftest import fused_folder  # noqa: F401 - a fixture
from tests.models.entity_fusion.fused import write_table

TRIPLES = {"train": "a\tr\tb\nb\tr\tc\n", "valid": "a\tr\tc\n", "test": "b\tr\ta\n"}
VISITS = "patient,date,kind,code\np,2020-01-01,condition,d\np,2020-01-01,medication,m\n"


def refused(*words):
    """The only line that a command prints, which ends with exit code 2."""
    done = wordworth(*words)
    assert done.code == 2
    (line,) = [line for line in done.err.splitlines() if line.startswith("wordworth: ")]
    assert "Traceback" not in done.err
    return line


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("train", "a\tr\tb\na\tr\n", "train.tsv, line 2: a line of 2 fields, not 3"),
        ("test", "b\tr\ta\nb\tq\tc\n", "test.tsv, line 2: no training triple has the relation 'q'"),
        ("valid", "a\t\tc\n", "valid.tsv, line 1: a triple with an empty field"),
    ],
)
def test_triples(tmp_path, part, text, message):
    for name, own in {**TRIPLES, part: text}.items():
        (tmp_path / f"{name}.tsv").write_text(own)
    assert f"{tmp_path}/{message}" in refused("kg", "train", tmp_path, "--out", tmp_path / "kg")


@pytest.mark.parametrize(
    ("ontology", "visits", "message"),
    [
        ("child,parent\nm,x\nx,y\ny,x\n", VISITS, "atc.csv, line 4: a code is its own ancestor: "),
        ("child,parent\nn,\n", VISITS, "visits.csv, line 3: atc.csv has no code 'm' of the visits"),
        ("child,parent\n,n\n", VISITS, "atc.csv, line 2: a row without a code"),
        ("child,parent\nm,\n", VISITS + "q,2020-01-02,medication,\n", "visits.csv, line 4: a visit without a code"),
        (
            "child,parent\nm,\n",
            VISITS.replace("condition,d", "condition, "),
            "visits.csv, line 2: a visit without a code",
        ),
        (
            "child,parent\nm,\n",
            VISITS.replace("01-01,med", "01-02,med"),
            "visits.csv: no visit has codes of both kinds, condition and medication",
        ),
    ],
)
def test_ontologies_and_visits(tmp_path, ontology, visits, message):
    (tmp_path / "atc.csv").write_text(ontology)
    (tmp_path / "visits.csv").write_text(visits)
    words = ("study", "codes", tmp_path / "visits.csv", "--target-ontology", tmp_path / "atc.csv")
    assert f"{tmp_path}/{message}" in refused(*words, "--out", tmp_path / "run")


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ("1,4,99,Q1", "a mention from character 4 to 99 of a text of 7 characters"),
        ("2,0,1,Q1", "row 2, and the texts have 2 rows"),
        ("1,4,7,Q77", "the entity 'Q77' has no vector"),
        ("1,0,2,Q1", "the mentions 'sh' and 'she' overlap"),
        ("1,4,4,Q1", "a mention from character 4 to 4 of a text of 7 characters"),
    ],
)
def test_spans(tmp_path, span, message):
    (tmp_path / "rows.csv").write_text("text\nin London\nshe ran\n")
    (tmp_path / "links.csv").write_text(f"row,start,end,entity\n0,3,9,Q1\n1,0,3,Q2\n{span}\n")
    words = ("kg", "link", tmp_path / "rows.csv", tmp_path / "links.csv", "--entities", write_table(tmp_path / "kg"))
    assert f"{tmp_path}/links.csv, line 4: {message}" in refused(*words, "--out", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("command", ["adapt", "finetune", "study entities", "embed"])
def test_links_to_entities_that_the_model_lacks(fused_folder, tmp_path, command):  # noqa: F811
    entities = ["Q99" if row == 20 else f"Q{1 + row % 5}" for row in range(40)]
    rows = [{"text": f"{row} a [[{entity}|cab]]", "label": "ab"[row % 2]} for row, entity in enumerate(entities)]
    data, out = tmp_path / "rows.jsonl", ("--out", tmp_path / "out.npy")
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = {
        "adapt": ("adapt", fused_folder, "--corpus", data, "--steps", 1),
        "finetune": ("finetune", "--data", data, "--model", fused_folder),
        "study entities": ("study", "entities", data, "--model", fused_folder),
        "embed": ("embed", data, "--model", fused_folder),
    }
    message = "the text '20 a [[Q99|cab]]' links to 'Q99', an entity without a vector in this model"
    assert f"{data}, line 21: {message}" in refused(*words[command], *out)


def test_features_of_another_width(tmp_path):
    for name, width in (("narrow", 3), ("wide", 5)):
        np.save(tmp_path / f"{name}.npy", np.random.default_rng(0).normal(size=(40, width)))
    learned = wordworth("symbols", "learn", tmp_path / "narrow.npy", "--k", 2, "--depth", 1, "--out", tmp_path / "book")
    assert learned.code == 0
    line = refused("symbols", "encode", tmp_path / "book", tmp_path / "wide.npy", "--out", tmp_path / "codes.npy")
    assert f"{tmp_path}/wide.npy: features of 5 numbers, and the codebook was learned from features of 3" in line


@pytest.mark.parametrize(("end", "message"), [(41, "the sequence ends before row 41"), (3, "an empty sequence")])
def test_sequences_outside_the_features(tmp_path, end, message):
    np.save(tmp_path / "f.npy", np.random.default_rng(0).normal(size=(40, 3)))
    (tmp_path / "captions.csv").write_text(f"start,end,text,group\n0,3,one,a\n3,{end},two,b\n")
    line = refused("study", "crossmodal", tmp_path / "f.npy", tmp_path / "captions.csv", "--out", tmp_path / "run")
    assert f"{tmp_path}/captions.csv, line 3: {message}" in line
