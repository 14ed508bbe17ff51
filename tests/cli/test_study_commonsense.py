"""`wordworth study commonsense` as a user meets it."""

import json

from tests.cli.terminal import wordworth

HEAD, ROW = "text,pronoun,candidates,answer\n", "Ann saw Joan because she waved.,she,Ann|Joan,Joan\n"


def test_several_files_make_one_record_and_one_page(tmp_path):
    (tmp_path / "a.csv").write_text(HEAD + ROW * 5)
    (tmp_path / "b.csv").write_text("good,bad\n" + "the dogs are big.,the dogs is big.\n" * 5)
    out = tmp_path / "run"
    files = (tmp_path / "a.csv", tmp_path / "b.csv")
    done = wordworth("study", "commonsense", "--model", "mini", "--data", *files, "--out", out)
    assert done.code == 0, done.err
    assert "surely above guessing on no set" in done.out  # five items show nothing
    assert json.loads((out / "record.json").read_text())["kind"] == "commonsense"
    assert "What pronouns stand for" in (out / "report.html").read_text()


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    (tmp_path / "a.csv").write_text(HEAD + ROW.replace("because she", "because he"))
    done = wordworth("study", "commonsense", "--data", tmp_path / "a.csv", "--out", tmp_path / "run")
    assert done.code == 2
    assert "a.csv, line 2: the pronoun 'she' is not in the text" in done.err
    assert not (tmp_path / "run").exists()
