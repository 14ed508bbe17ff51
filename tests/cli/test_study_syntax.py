"""`wordworth study syntax` as a user meets it."""

import json

import pytest
from tests.cli.terminal import wordworth


@pytest.mark.slow
def test_a_treebank_makes_a_record_and_a_page(tmp_path):
    path, out = tmp_path / "dev.txt", tmp_path / "run"
    path.write_text("the 2-det\ncat 3-nsubj\nsat 0-root\nthe 5-det\nmat 3-obj\n. 3-punct\n\n" * 24)
    options = ("--model", "mini", "--rank", 4, "--draws", 100, "--treebank", path)
    done = wordworth("study", "syntax", *options, "--out", out)
    assert done.code == 0, done.err
    assert "a linear probe finds" in done.out
    assert json.loads((out / "record.json").read_text())["kind"] == "syntax"
    assert "linear chain" in (out / "report.html").read_text()
    path.write_text("the 2-det\ncat 1-nsubj\nsat 0-root\n")
    said = wordworth("study", "syntax", *options, "--out", tmp_path / "none")
    assert said.code == 2
    assert "dev.txt, line 1" in said.err
    assert "circle" in said.err
    assert not (tmp_path / "none").exists()
