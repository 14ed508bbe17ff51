"""A study that is frozen, then run: it kept to its plan, or the record names what differs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from tests.cli.terminal import reviews

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.representations import shared_encoder
from wordworth.studies.worth.preregistration.preregistration_file import FILE

CHOICES = {"models": ["none"], "rungs": ["tfidf", "random"], "seeds": 3, "draws": 100, "threads": 1}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return reviews(tmp_path_factory.mktemp("data") / "reviews.csv", 120)


@pytest.fixture(scope="module")
def frozen(data, tmp_path_factory):
    """A folder with a plan."""
    folder = tmp_path_factory.mktemp("frozen") / "run"
    ww.worth(data, freeze=True, out=folder, **CHOICES)
    return folder


@pytest.fixture
def folder(frozen, tmp_path):
    """A copy of it for one test."""
    return shutil.copytree(frozen, tmp_path / "run")


def told(data, folder, **choices):
    """What the record of the study in a folder says of its plan."""
    return ww.worth(data, out=folder, **{**CHOICES, **choices}).data["preregistration"]


def entries(told):
    return {each["entry"]: (each["planned"], each["actual"]) for each in told["differences"]}


def test_the_record_that_is_returned_has_the_hash_of_the_file_and_nothing_else_is_written(data, tmp_path):
    record = ww.worth(data, freeze=True, out=tmp_path / "run", **CHOICES)
    stored = json.loads((tmp_path / "run" / FILE).read_text(encoding="utf-8"))
    assert record.kind == "preregistration"
    assert record.finding("verdict").numbers["sha256"] == stored["sha256"] == record.data["preregistration"]["sha256"]
    assert stored["sha256"] in record.verdict
    assert [path.name for path in (tmp_path / "run").iterdir()] == [FILE]
    assert stored["sha256"] in ww.report(record)


@pytest.mark.slow
def test_a_study_that_changes_nothing_kept_to_its_plan_also_when_it_is_run_again(data, folder):
    for _ in range(2):
        record = ww.worth(data, out=folder, **{**CHOICES, "threads": 2}, label_price=9.0)
        assert record.data["preregistration"]["kept"] is True
        assert record.finding("method.preregistration").text.startswith("This study kept to the plan")
        assert record.data["looks"]["rows"] == [120]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert record.data["preregistration"]["sha256"] in page
    assert ww.read_record(folder) == record


def test_a_study_without_a_plan_says_nothing_of_one(data, tmp_path):
    record = ww.worth(data, out=tmp_path, **CHOICES)
    assert "preregistration" not in record.data
    assert not [finding for finding in record.findings if finding.name.endswith("preregistration")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"margin": 2}, {"margin": ("1", "2")}),
        ({"metric": "macro_f1"}, {"metric": ("accuracy", "macro_f1")}),
        ({"draws": 200}, {"draws": ("100", "200")}),
        ({"seed": 1}, {"seed": ("0", "1")}),
        ({"rungs": ["tfidf"]}, {"rung random": ("on the ladder", "none")}),
        ({"quick": True}, {"quick": ("no", "yes")}),
    ],
)
def test_a_setting_that_was_changed_is_named(data, folder, choice, expected):
    record = ww.worth(data, out=folder, **{**CHOICES, **choice})
    assert entries(record.data["preregistration"]) == expected
    assert record.finding("warning.preregistration") in record.warnings


def test_other_folds_are_named(data, folder):
    assert entries(told(data, folder, seeds=2)) == {"seeds": ("3", "2"), "split test": ("3 folds", "2 folds")}


def test_a_test_part_in_place_of_folds_is_named(data, folder):
    differing = entries(told(data, folder, test=0.25))
    assert differing["split test"] == ("3 folds", "a share of the rows")
    assert {"rows training", "rows training sha256", "rows test", "rows test sha256"} < set(differing)


@pytest.mark.slow
def test_more_labels_than_planned_are_named_and_so_is_the_second_look(data, folder, tmp_path):
    assert told(data, folder)["kept"] is True
    more = reviews(tmp_path / "more.csv", 200)
    differing = entries(told(more, folder))
    assert differing["rows used"] == ("120", "200")
    assert differing["rule look"] == ("1", "2")


def test_one_other_label_is_named(data, folder, tmp_path):
    lines = data.read_text(encoding="utf-8").splitlines()
    text, label = lines[1].split(",")
    lines[1] = f"{text},{'good' if label == 'bad' else 'bad'}"
    (tmp_path / "other.csv").write_text("\n".join(lines), encoding="utf-8")
    assert set(entries(told(tmp_path / "other.csv", folder))) == {"rows training sha256", "rows test sha256"}


def test_the_same_rows_in_a_table_are_the_same_rows(data, folder):
    lines = [line.split(",") for line in data.read_text(encoding="utf-8").splitlines()[1:]]
    assert told({"text": [line[0] for line in lines], "label": [line[1] for line in lines]}, folder)["kept"] is True


@pytest.mark.slow
def test_a_file_to_test_on_is_hashed_by_itself(data, tmp_path):
    later = reviews(tmp_path / "later.csv", 200)
    lines = later.read_text(encoding="utf-8").splitlines(keepends=True)
    later.write_text("".join([lines[0], *lines[121:]]), encoding="utf-8")  # the first 120 are those of `data`
    ww.worth(data, freeze=True, out=tmp_path / "run", test=later, **CHOICES)
    assert told(data, tmp_path / "run", test=later)["kept"] is True
    later.write_text(later.read_text(encoding="utf-8") + "a last text,good\n", encoding="utf-8")
    assert {"rows test", "rows test sha256"} < set(entries(told(data, tmp_path / "run", test=later)))


def test_an_edited_plan_is_told_and_not_kept_to(data, folder):
    stored = json.loads((folder / FILE).read_text(encoding="utf-8"))
    stored["settings"]["margin"] = 2.0
    (folder / FILE).write_text(json.dumps(stored), encoding="utf-8")
    record = ww.worth(data, out=folder, **{**CHOICES, "margin": 2})
    assert list(entries(record.data["preregistration"])) == ["hash of the file, which was edited,"]
    assert "edited" in record.finding("warning.preregistration").text
    assert "edited" in (folder / "report.html").read_text(encoding="utf-8")


def test_a_damaged_plan_stops_the_study_before_it_begins(data, folder):
    (folder / FILE).write_text("{", encoding="utf-8")
    with pytest.raises(BadInput, match="not a whole JSON file"):
        ww.worth(data, out=folder, **CHOICES)
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_a_plan_is_not_replaced(data, folder):
    before = (folder / FILE).read_bytes()
    with pytest.raises(BadInput, match="a plan was frozen here before"):
        ww.worth(data, freeze=True, out=folder, **{**CHOICES, "margin": 2})
    assert (folder / FILE).read_bytes() == before


def test_after_the_study_it_is_too_late(data, tmp_path):
    ww.worth(data, out=tmp_path, **CHOICES)
    with pytest.raises(BadInput, match="holds a finished study: it is too late"):
        ww.worth(data, freeze=True, out=tmp_path, **CHOICES)
    assert not (tmp_path / FILE).exists()


def test_a_plan_needs_a_folder(data):
    with pytest.raises(BadInput, match="give the folder of the study to come as `out`"):
        ww.worth(data, freeze=True, **CHOICES)


def test_a_plan_of_the_number_of_labels_is_another_thing(data, tmp_path):
    with pytest.raises(BadInput, match="`plan` and `freeze` are two things"):
        ww.worth(data, freeze=True, plan=True, out=tmp_path)


def test_no_encoder_is_opened_and_no_rung_prepared(data, tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(shared_encoder, "load", refuse)
    shared_encoder.load_encoder.cache_clear()
    record = ww.worth(data, freeze=True, out=tmp_path, models=["mini"], quick=True)
    assert len(record.data["preregistration"]["rungs"]["mini"]) == 64


def test_torch_and_the_heads_are_not_imported(data, tmp_path):
    code = (
        "import sys, wordworth as ww\n"
        f"ww.worth({str(data)!r}, freeze=True, out={str(tmp_path / 'run')!r}, models=['mini'])\n"
        "print({'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def regression(folder):
    lines = [f"film {number} {'good' * (number % 5)},{number % 5 / 2}" for number in range(60)]
    (folder / "values.csv").write_text("\n".join(["text,score", *lines]), encoding="utf-8")
    return folder / "values.csv", {"label": "score", "text": "text", "kind": "regression"}


def multilabel(folder):
    lines = [f"film {number},{number % 2},{number % 3 % 2}" for number in range(60)]
    (folder / "labels.csv").write_text("\n".join(["text,bill,post", *lines]), encoding="utf-8")
    return folder / "labels.csv", {"label": ["bill", "post"], "text": "text"}


def tagging(folder):
    sentences = [f"Ann{number} B-PER\nsees O\nOslo{number % 7} B-LOC\n" for number in range(60)]
    (folder / "names.conll").write_text("\n".join(sentences), encoding="utf-8")
    return folder / "names.conll", {}


def grouped(folder):
    lines = [f"film {number},{'yes' if number % 2 else 'no'},a{number % 24}" for number in range(120)]
    (folder / "authors.csv").write_text("\n".join(["text,label,author", *lines]), encoding="utf-8")
    return folder / "authors.csv", {"group": "author", "text": "text", "label": "label"}


def pairs(folder):
    lines = [f"film {number},movie {number % 9},{'yes' if number % 2 else 'no'}" for number in range(60)]
    (folder / "pairs.csv").write_text("\n".join(["text,other,label", *lines]), encoding="utf-8")
    return folder / "pairs.csv", {"text": "text", "text_b": "other", "label": "label"}


@pytest.mark.parametrize("made", [regression, multilabel, tagging, grouped, pairs])
def test_tasks_of_every_kind_are_frozen_and_the_same_rows_have_the_same_hash(tmp_path, made):
    file, choices = made(tmp_path)
    rows = [
        ww.worth(file, freeze=True, out=tmp_path / out, models=["none"], **choices).data["preregistration"]["rows"]
        for out in ("one", "two")
    ]
    assert rows[0] == rows[1]
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("film 7", "film seven").replace("Ann7 ", "Anna "), encoding="utf-8")
    other = ww.worth(file, freeze=True, out=tmp_path / "other", models=["none"], **choices).data["preregistration"]
    assert other["rows"]["training_sha256"] != rows[0]["training_sha256"]
    assert other["rows"]["used"] == rows[0]["used"]
