"""The matched trio: the record holds what each training learned on the way, and its grammar where BLiMP was asked."""

import sys

import pytest
from tests.studies.contextuality import made_up

import trio
import wordworth as ww
from parts.learned import GRAMMAR, learned
from parts.matched import done
from wordworth.records import read


def run(command, monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", [command.__name__, *map(str, words)])
    command.main()


@pytest.fixture
def runs(corpus, tmp_path, monkeypatch):
    """One training of each of the three, of some steps."""
    words = (
        "--tokens",
        6 * 4 * 128,
        "--batch-size",
        4,
        "--model-size",
        "4x32",
        "--seeds",
        1,
        "--evals",
        2,
        "--device",
        "cpu",
    )
    run(trio, monkeypatch, "train", corpus, "--held-out", corpus, "--out", tmp_path / "runs", *words)
    return tmp_path / "runs"


def test_the_record_holds_each_look_and_the_grammar_of_who_was_asked(runs, tmp_path, monkeypatch):
    pairs, sentences = tmp_path / "pairs.csv", tmp_path / "sentences.txt"
    pairs.write_text("good,bad\na dog sat.,a dog sit.\nthe cats sat.,cats the sat.\n")
    sentences.write_text("\n".join(made_up.sentences()) + "\n")
    ww.study_commonsense(model=str(runs / "gpt-0"), data=pairs, out=runs / "gpt-0" / GRAMMAR)
    run(trio, monkeypatch, "study", "--out", runs, "--sentences", sentences, "--limit", 300)
    record = read(runs / "trio.json")
    looks = record.tables["looks"].rows()
    assert {row["architecture"] for row in looks} == {"bert", "gpt", "bilm"}
    told = {(row["variant"], row["tokens"]): row["held_out"] for row in record.tables["training"].rows()}
    last = {row["architecture"]: row for row in looks}
    for (name, tokens), held_out in told.items():
        assert last[name]["tokens"] == tokens
        assert last[name]["loss"] in held_out.values()
        assert next(row["tokens"] for row in looks if row["architecture"] == name) < tokens
    assert last["bert"]["shuffled"] is not None
    assert last["gpt"]["shuffled"] is None
    (asked,) = record.tables["grammar"].rows()
    (found,) = read(runs / "gpt-0" / GRAMMAR / "record.json").tables["scores"].rows()
    assert asked["architecture"] == "gpt"
    assert (asked["pairs"], asked["accuracy"]) == (2, found["accuracy"])


def test_without_blimp_the_record_has_no_grammar(runs):
    assert set(learned(done(runs, trio.TRIO))) == {"looks"}
