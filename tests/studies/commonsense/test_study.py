"""The study from files to a record, and what it refuses."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.models.language_models import write_language_model
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.sentence_formatting import percent

HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    names = ["Ann", "Joan", "Mary", "Ruth", "Eve", "Jane"]
    rows = ["text\tpronoun\tcandidates\tanswer"]
    for number in range(12):
        one, other = names[number % 6], names[(number + 1 + number // 6) % 6]
        rows.append(f"{one} saw {other} because she waved.\tshe\t{one}|{other}\t{other if number % 2 else one}")
    rows.append("Ann saw Joan because [MASK] left.\t[MASK]\tAnn|Joan\tAnn")
    rows.append(f"Ann met {HOSTILE} since it was big.\tit\tAnn|{HOSTILE}\tAnn")
    rows.append("Ann left since it rained.\tit\tAnn|the zebra\tAnn")
    (folder / "mine.tsv").write_text("\n".join(rows) + "\n")
    endings = [{"context": "She ate", "endings": ["an apple.", "a house."], "label": 0}] * 3
    (folder / "ends.jsonl").write_text("\n".join(map(json.dumps, endings)))
    (folder / "pairs.csv").write_text("good,bad,phenomenon\n" + "the dogs are big.,the dogs is big.,agreement\n" * 3)
    return folder


@pytest.fixture(scope="module")
def record(files, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    data = [files / name for name in ("mine.tsv", "ends.jsonl", "pairs.csv")]
    return ww.study_commonsense(model="mini", data=data, out=out), out


def test_every_kind_of_file_is_answered_by_one_command(record):
    found, out = record
    assert [row["set"] for row in found.tables["sets"].rows()] == ["mine.tsv", "ends.jsonl", "pairs.csv"]
    rows = {(row["set"], row["method"]): row for row in found.tables["scores"].rows()}
    assert rows["mine.tsv", "likelihood"]["items"] == 15
    assert rows["mine.tsv", "attention from pronoun"]["items"] == 14  # the zebra is not in its text
    assert rows["mine.tsv", "nearest candidate"]["control"]
    assert ("ends.jsonl", "ending alone, a piece") in rows
    assert [row["name"] for row in found.tables["phenomena"].rows() if row["method"] == "likelihood"] == [
        "agreement",
        "all",
    ]
    assert found.settings["data"] == ["mine.tsv", "ends.jsonl", "pairs.csv"]
    assert [source["rows"] for source in found.data["sources"]] == [15, 3, 3]
    assert "mini is surely above guessing on" in found.verdict
    page = (out / "report.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert "What each set can show" in page


def test_the_same_seed_gives_the_same_bytes(files):
    one, two = (
        ww.study_commonsense(data=files / "mine.tsv", limit=6).to_json().partition('"timings"')[0] for _ in "ab"
    )
    assert one == two


@pytest.mark.parametrize("kind", ["gpt2", "causal-bert", "bilm"])
def test_models_of_other_kinds_are_asked_by_what_they_have(kind, tmp_path):
    (tmp_path / "p.csv").write_text("text,pronoun,candidates,answer\n" + "the ab saw c so i s.,i,the ab|c,c\n" * 4)
    (tmp_path / "q.csv").write_text("good,bad\na b.,b a.\n")
    folder = str(write_language_model(tmp_path / kind, kind))
    found = ww.study_commonsense(model=folder, data=[tmp_path / "p.csv", tmp_path / "q.csv"])
    methods = {row["method"] for row in found.tables["scores"].rows()}
    assert {"likelihood", "partial scoring"} <= methods
    assert ("attention from pronoun" in methods) == (kind != "bilm")
    assert "attention to pronoun" not in methods


def test_without_a_head_pronouns_are_asked_and_other_sets_named(files, tmp_path):
    model = str(write_tiny(tmp_path / "m", max_position_embeddings=64))
    found = ww.study_commonsense(model=model, data=[files / "mine.tsv", files / "pairs.csv"])
    names = {finding.name for finding in found.warnings}
    assert {"warning.no_head", "warning.silent"} <= names
    assert {row["set"] for row in found.tables["scores"].rows()} == {"mine.tsv"}


def test_what_cannot_be_asked_is_refused(files, tmp_path, monkeypatch):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    encoder = str(write_tiny(tmp_path / "m"))
    (tmp_path / "long.csv").write_text("good,bad\n" + f"{'a ' * 600}b,{'a ' * 600}c\n")
    for choices, what in (
        ({}, "no data are given"),
        ({"data": "wsc273"}, "no data set 'wsc273'"),
        ({"data": tmp_path / "none.tsv"}, "none.tsv"),
        ({"data": files / "mine.tsv", "model": "glove"}, "reads no context"),
        ({"data": files / "pairs.csv", "model": encoder}, "no language model head"),
        ({"data": tmp_path / "long.csv", "model": "mini"}, "too long"),
        ({"data": files / "mine.tsv", "limit": 0}, "limit"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_commonsense(**choices)


@pytest.mark.parametrize(
    "hold", [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist, list], ids=["pandas", "polars", "arrow", "dicts"]
)
def test_a_table_in_memory_is_answered_as_its_file_is(files, hold):
    rows = [{"good": "the dogs are big.", "bad": "the dogs is big.", "phenomenon": "agreement"}] * 3
    in_memory, on_disk = (ww.study_commonsense(model="mini", data=each) for each in (hold(rows), files / "pairs.csv"))
    assert in_memory.tables["sets"].rows()[0]["set"] == "the table"
    of_both = ([{**row, "set": ""} for row in each.tables["scores"].rows()] for each in (in_memory, on_disk))
    assert next(of_both) == next(of_both)


def test_filtered_endings_are_asked_before_and_after(tmp_path):
    verbs, things = ("ran", "sat", "sang", "left"), ("dog", "cat", "boy", "girl", "nurse")
    rows = [
        {
            "context": f"The {things[number % 5]} {number}",
            "endings": [f"{verbs[number % 4]} {number % 7} times", "no"],
            "label": 0,
        }
        for number in range(48)
    ]
    (tmp_path / "ends.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = ww.study_commonsense(data=tmp_path / "ends.jsonl", limit=6, filter_rounds=2, out=tmp_path / "out")
    assert [row["set"] for row in found.tables["sets"].rows()] == ["ends.jsonl, machine's", "ends.jsonl, filtered"]
    rounds = found.tables["filtering"].rows()
    assert [row["round"] for row in rounds] == [0, 1, 2]
    assert all(row["low"] <= row["accuracy"] <= row["high"] for row in rounds)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8").replace("\xa0", " ")
    assert f'<span class="value">{percent(rounds[-1]["accuracy"])}</span> <small>' in page.split("Adversarial", 1)[1]


def test_filtering_without_endings_is_refused(files):
    with pytest.raises(BadInput, match="there are no endings to filter"):
        ww.study_commonsense(data=files / "mine.tsv", filter_rounds=2)
