"""`wordworth study senses` as a user meets it."""

import json

import pytest
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny


@pytest.fixture
def words(tmp_path):
    lines = ["word,sense,sentence"]
    for n in range(60):
        lines.append(f"cab,{'taxi' if n % 2 else 'part'},{'a b' if n % 2 else 'the dab'} cab {'abcdef'[n % 6]}")
        lines.append(f"tab,{'key' if n % 3 else 'bill'},tab {'the fab' if n % 3 else 'b'} {'abcdef'[n % 6]}")
    path = tmp_path / "words.csv"
    path.write_text("\n".join(lines))
    return path


def test_a_model_and_tagged_words_make_a_record_and_a_page(tmp_path, words):
    model, out = write_tiny(tmp_path / "tiny"), tmp_path / "run"
    done = wordworth("study", "senses", "--model", model, "--data", words, "--draws", 100, "--out", out)
    assert done.code == 0, done.err
    assert "95 % interval" in done.out
    assert str(out / "report.html") in done.out
    record = json.loads((out / "record.json").read_text())
    assert record["kind"] == "senses"
    assert {0, 1, 2} <= set(record["tables"]["scores"]["columns"]["layer"])
    before = (out / "report.html").read_text()
    assert wordworth("report", out).code == 0
    assert (out / "report.html").read_text() == before


def test_what_cannot_be_used_is_said_in_one_line_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    out = tmp_path / "run"
    said = wordworth("study", "senses", "--out", out)
    assert said.code == 2
    assert "WORDWORTH_DATA" in said.err
    assert not out.exists()
    (tmp_path / "few.csv").write_text("word,sense,sentence\nbank,a,the bank\n")
    said = wordworth("study", "senses", "--data", tmp_path / "few.csv", "--out", out)
    assert said.code == 2
    assert "too few" in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_help_names_the_columns_and_gives_examples():
    said = wordworth("study", "senses", "--help").out
    assert "word, sense, sentence" in said
    assert "wordworth study senses --model minilm" in said
    assert "senses" in wordworth("study", "--help").out
