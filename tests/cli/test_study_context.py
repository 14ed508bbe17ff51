"""`wordworth study context` as a user meets it."""

import json

from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny


def sentences(path):
    words = ["the", "abs", "a", "b", "cab", "dab", "fab", "gab", "jab", "lab", "nab", "tab"]
    lines = [
        " ".join(words[(n * step) % 12] for step in (1, 5, 7, 11, 2)) + f" {'abcdefghij'[n % 10]}" for n in range(60)
    ]
    path.write_text("\n".join(lines))
    return path


def test_a_model_and_sentences_make_a_record_and_a_page(tmp_path):
    model, data, out = write_tiny(tmp_path / "tiny"), sentences(tmp_path / "texts.txt"), tmp_path / "run"
    done = wordworth("study", "context", "--model", model, "--data", data, "--draws", 100, "--out", out)
    assert done.code == 0, done.err
    assert "tiny" in done.out
    assert str(out / "report.html") in done.out
    record = json.loads((out / "record.json").read_text())
    assert record["kind"] == "context"
    assert set(record["tables"]["layers"]["columns"]["layer"]) == {0, 1, 2}
    again = wordworth("report", out)
    assert again.code == 0


def test_what_cannot_be_used_is_said_in_one_line(tmp_path):
    few = tmp_path / "few.txt"
    few.write_text("one\ntwo\n")
    said = wordworth("study", "context", "--data", few, "--out", tmp_path / "run")
    assert said.code == 2
    assert "2 different sentences are too few" in said.err
    assert not (tmp_path / "run").exists()
    assert "no units" in wordworth("study", "context", "--data", few, "--units", "letters").err
