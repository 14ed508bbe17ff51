"""What is given in place of a fine-tuned model's folder, and a folder whose `wordworth.json` is damaged."""

import json
import os

import pytest
from tests.cli.terminal import wordworth

from wordworth.errors import BadInput
from wordworth.training.finetuning.checkpoint_metadata import read_metadata


@pytest.mark.parametrize("content", [{}, {"kind": 3}, {"version": None}, {"version": "1"}, {"version": True}])
def test_a_file_without_a_format_version_is_damaged_and_no_newer_one(tmp_path, content):
    (tmp_path / "wordworth.json").write_text(json.dumps(content))
    with pytest.raises(BadInput, match=r"wordworth\.json: this file is damaged: no format version in it; run") as said:
        read_metadata(tmp_path)
    assert "update wordworth" not in str(said.value)


def test_a_newer_format_asks_for_a_newer_wordworth(tmp_path):
    (tmp_path / "wordworth.json").write_text(json.dumps({"version": 2}))
    with pytest.raises(BadInput, match=r"unknown format version 2; update wordworth"):
        read_metadata(tmp_path)


MADE = {
    "this is not a folder": (os.mkfifo, lambda place: place.write_text("text")),
    "this is not the folder of a fine-tuned model: no wordworth.json": (lambda place: place.mkdir(),),
    "no such folder": (lambda place: None,),  # noqa: ARG005 - nothing is made
}


@pytest.mark.parametrize(("says", "make"), [(says, make) for says, makers in MADE.items() for make in makers])
def test_predict_says_what_is_in_place_of_a_run(tmp_path, says, make):
    make(tmp_path / "run")
    (tmp_path / "a.csv").write_text("text\na film\n")
    done = wordworth("predict", tmp_path / "run", tmp_path / "a.csv", "--out", tmp_path / "b.csv")
    assert done.code == 2
    (said,) = done.err.splitlines()
    assert f"{tmp_path / 'run'}: {says}" in said
    assert said.endswith("give the --out folder of wordworth finetune, probe or worth")
