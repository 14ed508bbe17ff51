"""Names of files and signs whose bytes are not UTF-8 cost no study: they stand escaped in what is written."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace

import pytest
from tests.reports import example_record

from wordworth import records
from wordworth.errors import BadInput
from wordworth.files import content_key, write_text
from wordworth.json_file import parse_json, read_json
from wordworth.reports.record_view import RecordView
from wordworth.seeds import child_seed

COMMON = ["film", "story", "actor", "music", "scene", "ending", "script", "camera", "voice", "light", "city", "night"]
NAME = os.fsdecode(b"caf\xe9.csv")


def run(folder, *words):
    """The command line; what it wrote to its output and errors, as bytes."""
    environment = os.environ | {"LC_ALL": "C.UTF-8", "WORDWORTH_CACHE": str(folder / "cache")}
    line = [sys.executable, "-m", "wordworth", *words]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, check=False)


@pytest.fixture
def labelled(tmp_path):
    """120 labelled texts under a name that is not UTF-8."""
    draw = random.Random(1)
    words = {"y": ["good", "fine", "nice"], "n": ["bad", "poor", "dull"]}
    rows = [
        f"{' '.join(draw.choices(words[label] + COMMON, k=12))} {number},{label}"
        for number in range(60)
        for label in "yn"
    ]
    try:
        (tmp_path / NAME).write_text("\n".join(["text,label", *rows]) + "\n")
    except OSError:
        pytest.skip("this disk takes only names in UTF-8")
    return tmp_path


def read_by_anyone(folder):
    """The record as any JSON reader has it; its page is UTF-8 too."""
    assert (folder / "report.html").read_bytes().decode("utf-8")
    return json.loads((folder / "record.json").read_bytes().decode("utf-8"))


@pytest.mark.slow
def test_worth_keeps_its_record_of_a_file_and_a_currency_that_are_not_utf8(labelled):
    sign = os.fsdecode(b"\xe9")
    done = run(labelled, "worth", NAME, "--quick", "--model", "none", "--currency", sign, "--out", "out")
    assert done.returncode == 0, done.stderr
    assert NAME in json.dumps(read_by_anyone(labelled / "out"), ensure_ascii=False)
    assert NAME in records.read(labelled / "out").to_json()
    assert run(labelled, "report", "out").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["study", "context", "--models", "mini", "--data"],
        pytest.param(
            ["finetune", "--model", "mini", "--restarts", "1", "--epochs", "0.2", "--processes", "1", "--data"],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["study context", "finetune"],
)
def test_a_study_keeps_its_record_of_a_file_whose_name_is_not_utf8(labelled, words):
    done = run(labelled, *words, NAME, "--out", os.fsdecode(b"\xff"))
    assert done.returncode == 0, done.stderr
    assert NAME in json.dumps(read_by_anyone(labelled / os.fsdecode(b"\xff")), ensure_ascii=False)


def test_study_senses_keeps_its_record_of_a_file_whose_name_is_not_utf8(labelled):
    cues = {"money": ["coin", "loan", "debt"], "river": ["water", "shore", "boat"]}
    draw = random.Random(1)
    rows = [
        f"{draw.choice(cues[sense])} bank here,bank,{sense},d{number % 20}" for number in range(30) for sense in cues
    ]
    (labelled / NAME).write_text("\n".join(["sentence,word,sense,document", *rows]) + "\n")
    done = run(labelled, "study", "senses", "--models", "glove", "--data", NAME, "--out", "out")
    assert done.returncode == 0, done.stderr
    assert NAME.removesuffix(".csv") in json.dumps(read_by_anyone(labelled / "out"), ensure_ascii=False)


def test_every_page_may_name_a_file_whose_name_is_not_utf8():
    record = replace(example_record.example(), data={"name": NAME})
    assert RecordView.of(record).data == {"name": NAME}


def test_the_seed_of_a_name_that_is_not_utf8_differs_from_those_of_others():
    assert len({child_seed(0, NAME), child_seed(0, "caf.csv"), child_seed(0, os.fsdecode(b"caf\xea.csv"))}) == 3


def test_text_with_lone_surrogates_is_written_as_escapes_that_json_reads_as_the_same(tmp_path):
    write_text(tmp_path / "a.json", json.dumps([NAME, "é 学"], ensure_ascii=False))
    assert json.loads((tmp_path / "a.json").read_bytes()) == [NAME, "é 学"]
    assert content_key(NAME) != content_key("caf.csv")


def test_our_own_files_are_read_back_with_such_names_and_texts_may_not_hold_half_a_character(tmp_path):
    write_text(tmp_path / "a.json", json.dumps({"data": NAME}))
    assert read_json(tmp_path / "a.json") == {"data": NAME}
    for text in (json.dumps([NAME]), json.dumps(["\ud83d"])):
        with pytest.raises(ValueError, match="surrogates"):
            parse_json(text)
    write_text(tmp_path / "b.json", json.dumps(["\ud83d"]))
    with pytest.raises(BadInput, match="half of a surrogate pair"):
        read_json(tmp_path / "b.json")
