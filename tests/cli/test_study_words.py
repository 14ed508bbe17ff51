"""`wordworth study words`."""

import json

import pytest
from tests.cli.terminal import wordworth
from tests.studies.word_benchmarks.small_sets import FILES, NAMES, part, table
from tests.tasks.datasets.data_folder import write


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "wordsets", FILES)


def test_the_command_prints_a_row_a_set_and_a_column_a_table_and_keeps_the_record(tmp_path, data):
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES, noise=0.5))
    done = wordworth(
        *("study", "words", "--models", one, two, "--data", data, "--draws", 100, "--out", tmp_path / "run")
    )
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert ["set", "metric", "items", "one.txt", "two.txt"] in rows
    (found,) = [row for row in rows if row[:2] == ["rg65", "spearman"]]
    assert found[2:6] == ["12", "of", "13", "1.000"]
    record = json.loads((tmp_path / "run/record.json").read_text())
    assert record["kind"] == "words"
    assert record["findings"][0]["numbers"]["headline"] in done.out
    assert str(tmp_path / "run/report.html") in done.out
    assert "no study 'wrods'; did you mean 'words'?" in wordworth("study", "wrods").err


def test_the_command_writes_into_run_where_no_folder_is_named(tmp_path, data, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wordworth("study", "words", "--model", table(tmp_path / "t.txt"), "--data", data, "--sets", "rg65", "--draws", 100)
    assert (tmp_path / "run/record.json").is_file()
    assert (tmp_path / "run/report.html").is_file()
