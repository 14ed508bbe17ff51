"""`wordworth study patterns` as a user meets it."""

import json

import pytest
from tests.cli.terminal import wordworth


@pytest.mark.slow
def test_a_file_of_texts_makes_a_record_and_a_page(tmp_path):
    texts, out = tmp_path / "texts.csv", tmp_path / "run"
    texts.write_text("text\n" + "\n".join(f'"The cat saw {n} birds, and left."' for n in range(12)) + "\n")
    done = wordworth("study", "patterns", texts, "--model", "mini", "--draws", 100, "--out", out)
    assert done.code == 0, done.err
    assert "mostly to a neighbour" in done.out
    assert json.loads((out / "record.json").read_text())["kind"] == "patterns"
    assert "layer 4" in (out / "report.html").read_text()


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    result = wordworth("study", "patterns", tmp_path / "none.csv", "--model", "mini", "--out", tmp_path / "run")
    assert result.code == 2
    assert "none.csv" in result.err
    assert not (tmp_path / "run").exists()
