"""The study `words`: the same seed, the same record."""

import json

import numpy as np
import pytest
from tests.studies.word_benchmarks.small_sets import table

from wordworth.errors import BadInput
from wordworth.studies.word_benchmarks import words


def test_the_same_seed_gives_the_same_bytes_wherever_the_sets_lie(tmp_path, data):
    path, elsewhere = table(tmp_path / "t.txt"), data.rename(tmp_path / "elsewhere")
    first = _plain(words(path, data=elsewhere, draws=100))
    again = _plain(words(path, data=elsewhere.rename(data), draws=100))
    assert first == again
    assert str(data.parent) not in json.dumps(first["data"]["sources"])


def _plain(record):
    whole = json.loads(record.to_json())
    return {name: whole[name] for name in ("settings", "data", "tables", "findings")}


def test_the_record_says_how_long_each_set_took_and_what_computed(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65", "google"), draws=100)
    assert set(record.timings["seconds"]) == {"rg65", "google"}
    assert record.environment["versions"]["numpy"] == np.__version__


def test_a_folder_that_cannot_be_written_is_told_before_a_table_is_read(tmp_path, data):
    (tmp_path / "run").write_text("a file")
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        words(tmp_path / "no table.txt", data=data, out=tmp_path / "run")


def test_a_table_that_is_missing_is_named_before_benchmarks_that_are(tmp_path):
    with pytest.raises(BadInput, match="no table"):
        words(tmp_path / "no table.txt", data=tmp_path / "no benchmarks")


def test_what_is_wrong_is_said(tmp_path, data):
    path = table(tmp_path / "t.txt")
    with pytest.raises(BadInput, match="did you mean 'rg65'"):
        words(path, data=data, sets=("rg56",))
    with pytest.raises(BadInput, match="not on this machine"):
        words(path, data=data, sets=("simlex",))
    with pytest.raises(BadInput, match="no such folder"):
        words(path, data=tmp_path / "none")
