"""The study from a treebank to a record, and what it refuses."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny
from tests.studies.syntax.small_treebank import conllu

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.syntax import attention_probe, parser, structural_probes
from wordworth.training.probes.train_probe import ProbeTraining, train_probe


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebank") / "small.conllu"
    path.write_text(conllu(160), encoding="utf-8")
    return path


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(structural_probes, "TRAINING", ProbeTraining(passes=2, batch_size=20))
    monkeypatch.setattr(attention_probe, "TRAINING", ProbeTraining(passes=2, batch_size=64))
    monkeypatch.setattr(parser, "TRAINING", ProbeTraining(passes=2, batch_size=20))


@pytest.fixture(scope="module")
def record(treebank, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structural_probes, "TRAINING", ProbeTraining(rate=0.003, passes=12, batch_size=4))
        patch.setattr(attention_probe, "TRAINING", ProbeTraining(passes=3, batch_size=64))
        patch.setattr(parser, "TRAINING", ProbeTraining(rate=0.003, passes=8, batch_size=10))
        patch.setenv("WORDWORTH_CACHE", str(tmp_path_factory.mktemp("cache")))
        return ww.study_syntax(treebank, model="mini", draws=100, rank=8)


def test_probes_stand_beside_their_controls(record):
    rows = record.tables["probes"].rows()
    for kind in ("distance", "depth"):
        own = [row for row in rows if row["probe"] == kind]
        assert sorted(row["layer"] for row in own if row["source"] == "model" and row["rank"] == 8) == [0, 1, 2, 3, 4]
        assert [row["chosen"] for row in own].count(True) == 2  # the model and random weights
        assert {row["source"] for row in own} == {
            "model", "random weights", "shuffled vectors", "control trees", "another seed", "lengths not squared",
            "linear chain",
        }  # fmt: skip
    best = next(row for row in rows if row["source"] == "model" and row["chosen"] and row["probe"] == "distance")
    assert best["share"] > 0.9  # two trees, which words decide
    chain = next(row for row in rows if row["source"] == "linear chain" and row["probe"] == "distance")
    assert chain["share"] == pytest.approx((3 + 5) / (5 + 8), abs=0.01)
    assert len(record.tables["differences"].rows()) == 2 * 2 * 8
    assert record.finding("verdict").numbers["headline"].startswith(("Trees are plainest in layer", "No layer"))
    assert record.finding("verdict").numbers["uuas"] == best["share"]


def test_pairs_and_trees_are_in_the_record(record):
    pairs = {(row["task"], row["source"]): row for row in record.tables["pairs"].rows()}
    assert pairs["related, same distance", "distance alone"]["accuracy"] == 0.5
    assert pairs["which relation", "attention"]["classes"] >= 4
    assert {row["edge"] for row in record.tables["tree_edges"].rows()} <= {"found", "missed", "wrong"}
    assert {row["relation"] for row in record.tables["edge_lengths"].rows()} >= {"det", "nsubj", "obj"}


def test_the_parser_stands_beside_its_controls(record):
    rows = {row["source"]: row for row in record.tables["parsers"].rows()}
    assert list(rows) == ["model", "another seed", "input layer", "random weights", "right-branching"]
    assert rows["model"]["las"] > 0.95  # two trees, which words decide
    assert rows["right-branching"]["uas"] == pytest.approx((3 + 4) / (7 + 10), abs=0.01)
    assert 0 <= rows["model"]["layer"] <= 4
    assert (rows["input layer"]["layer"], rows["right-branching"]["loss"]) == (None, None)
    assert len(record.tables["parser_differences"].rows()) == 2 * 4


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_a_stopped_study_goes_on_where_it_was_to_the_same_record(treebank, monkeypatch, tmp_path):
    def study(cache):
        monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / cache))
        return ww.study_syntax(treebank, model="mini", draws=100, rank=8, limit=40)

    whole, trained = study("whole"), []

    def train(*arguments, **named):
        if len(trained) == 12:
            raise KeyboardInterrupt
        trained.append(1)
        return train_probe(*arguments, **named)

    for module in (structural_probes, attention_probe, parser):
        monkeypatch.setattr(module, "train_probe", train)
    with pytest.raises(KeyboardInterrupt):
        study("stopped")
    trained[:] = [1] * 13  # whatever is trained from here on is new
    again = study("stopped")
    assert len(trained) - 13 > 0
    assert whole.to_json().partition('"timings"')[0] == again.to_json().partition('"timings"')[0]
    count = len(trained)
    study("stopped")
    assert len(trained) == count


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("family", ["bert", "distilbert", "roberta", "gpt2"])
def test_every_family_is_probed(family, tmp_path):
    (tmp_path / "dev.txt").write_text("the 2-det\na 3-nsubj\nb 0-root\nc 3-obj\nd 3-x\n. 3-punct\n\n" * 24)
    model = str(write_tiny(tmp_path / family, family))
    record = ww.study_syntax(tmp_path / "dev.txt", model=model, draws=100)
    rows = record.tables["probes"].rows()
    assert all(0 <= row["share_low"] <= row["share"] <= row["share_high"] <= 1 for row in rows)
    assert max(row["rank"] for row in rows) == 32  # no rank beyond the width
    assert np.isfinite([row["correlation"] for row in rows]).all()


@pytest.mark.usefixtures("short")
def test_long_sentences_and_few_documents_are_said(tmp_path):
    long = "\n".join(["w 0-root"] + ["x 1-dep"] * 40) + "\n\n"
    (tmp_path / "dev.txt").write_text("the 2-det\na 3-nsubj\nb 0-root\nc 3-obj\nd 3-x\n\n" * 12 + long)
    model = str(write_tiny(tmp_path / "bert", "bert"))  # reads 24 pieces at once
    record = ww.study_syntax(tmp_path / "dev.txt", model=model, draws=100)
    assert record.finding("warning.long_sentences").numbers == {"sentences": 1}
    assert record.finding("warning.documents").numbers == {"documents": 12}


def test_lines_of_multi_word_tokens_are_left_out(tmp_path):
    text = conllu(2).replace("1\tthe", "1-2\tthecat\t_\t_\t_\t_\t_\t_\t_\t_\n1\tthe")
    for name, words in (("with", text), ("without", conllu(2))):
        (tmp_path / f"{name}.conllu").write_text(words)
    from wordworth.text.treebank import read_treebank

    one, other = (read_treebank(tmp_path / f"{name}.conllu").sentences for name in ("with", "without"))
    assert [each.words for each in one] == [each.words for each in other]
    assert all(np.array_equal(each.heads, also.heads) for each, also in zip(one, other, strict=True))


def test_what_cannot_be_studied_is_refused(treebank, monkeypatch, tmp_path):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    circle, roots = tmp_path / "circle.txt", tmp_path / "roots.txt"
    circle.write_text("a 2-x\nb 1-x\nc 0-root\n\n" * 20)
    roots.write_text("a 0-root\nb 0-root\n\n" * 20)
    for choices, what in (
        ({}, "no treebank is given"),
        ({"treebank": "en_ewt"}, "no treebank 'en_ewt'"),
        ({"treebank": tmp_path / "missing.conllu"}, "missing.conllu"),
        ({"treebank": treebank, "test": "en_gum"}, "no treebank 'en_gum'"),
        ({"treebank": treebank, "model": "glove"}, "has no attention"),
        ({"treebank": circle}, "circle"),
        ({"treebank": roots}, "2 roots"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_syntax(**choices)
