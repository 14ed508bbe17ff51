"""`wordworth study neighbours` as a user meets it."""

import json

from tests.cli.terminal import wordworth


def test_a_sentence_and_a_file_make_a_record_and_a_page(tmp_path):
    texts, out = tmp_path / "texts.txt", tmp_path / "run"
    texts.write_text("".join(f"The bank of river {n} was old.\n" for n in range(12)), encoding="utf-8")
    done = wordworth(
        "study", "neighbours", "The [bank] is new.", texts, "--model", "mini", "--nearest", 5, "--out", out
    )
    assert done.code == 0, done.err
    assert "nearest words are “bank”" in done.out
    assert json.loads((out / "record.json").read_text())["kind"] == "neighbours"


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    result = wordworth("study", "neighbours", "a [b]", tmp_path / "none.csv", "--out", tmp_path / "run")
    assert result.code == 2
    assert "none.csv" in result.err
    assert not (tmp_path / "run").exists()
