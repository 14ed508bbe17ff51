"""`wordworth study layers` as a user meets it."""

import json

import pytest
from tests.cli.terminal import wordworth
from tests.studies.layers.small_files import spans, treebank


@pytest.mark.slow
def test_tasks_make_a_record_and_a_page(tmp_path):
    out, path = tmp_path / "run", treebank(tmp_path, 60)
    options = ("--model", "mini", "--limit", 40, "--draws", 100, "--out", out)
    done = wordworth("study", "layers", "--tasks", f"pos={path}", f"order={spans(tmp_path, 60)}", *options)
    assert done.code == 0, done.err
    assert "Stopping early loses nothing sure for" in done.out
    assert json.loads((out / "record.json").read_text())["kind"] == "layers"
    assert "The layer to take" in (out / "report.html").read_text()
    assert not (out / "model").exists()  # no labels of one's own


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    said = wordworth("study", "layers", "--tasks", "noun", "--out", tmp_path / "run")
    assert said.code == 2
    assert "no task 'noun'" in said.err
    assert not (tmp_path / "run").exists()
