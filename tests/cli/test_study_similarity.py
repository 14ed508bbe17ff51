"""`wordworth study similarity` as a user meets it."""

import json

from tests.cli.terminal import wordworth


def test_two_texts_or_files_that_hold_them_make_a_record_and_a_page(tmp_path):
    (tmp_path / "a.txt").write_text("The film was great.", encoding="utf-8")
    done = wordworth("study", "similarity", tmp_path / "a.txt", "A wonderful movie.", "--out", tmp_path / "run")
    assert done.code == 0, done.err
    assert "The cosine is" in done.out
    assert str(tmp_path / "run" / "report.html") in done.out
    record = json.loads((tmp_path / "run" / "record.json").read_text())
    assert record["tables"]["pairs"]["columns"]["first"] == ["The film was great."]


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    out = tmp_path / "run"
    for arguments, words in (
        (("one text",), "got 1 text;"),
        (("a", "b", "--model", "nothing"), "nothing"),
        (("--data", tmp_path / "missing.csv"), "missing.csv"),
        (("--data", tmp_path / "missing.csv", "--top", "0"), "--top"),
    ):
        said = wordworth("study", "similarity", *arguments, "--out", out)
        assert said.code == 2
        assert words in said.err
        assert not out.exists()


def test_options_without_effect_are_refused_even_at_their_defaults(tmp_path):
    (tmp_path / "pairs.csv").write_text("text_a,text_b\na cat,a dog\n", encoding="utf-8")
    for arguments, words in (
        (("a cat", "a dog", "--top", "5"), "--top: this has no effect on two texts"),
        (("a cat", "a dog", "--limit", "10"), "--limit: this has no effect on two texts"),
        (("a cat", "a dog", "--examples", "2"), "--examples: this has no effect on two texts"),
        (("--data", tmp_path / "pairs.csv", "--top", "5"), "--top: this has no effect on pairs of a table"),
        (("--data", tmp_path / "pairs.csv", "--query", "a", "--limit", "5"), "--limit: this has no effect on a query"),
    ):
        outcome = wordworth("study", "similarity", *arguments, "--out", tmp_path / "run")
        assert (outcome.code, words in outcome.err) == (2, True), outcome.err
