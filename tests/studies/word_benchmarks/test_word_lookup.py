"""Words are looked up as written, then in lower case."""

import pytest
from tests.studies.word_benchmarks.small_sets import FILES, table
from tests.tasks.datasets.data_folder import write

from wordworth.studies.word_benchmarks import words


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "wordsets", FILES)


def scores(record):
    rows = record.tables["scores"].rows()
    return {(row["model"], row["set"], row["metric"], row["policy"]): row for row in rows}


def test_words_are_found_as_written_and_then_in_lower_case(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100)
    assert "W1" in FILES["sim/EN-RG-65.txt"]
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [12]


def test_only_the_most_frequent_words_are_looked_at_where_so_many_are_asked_for(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100, most=11)
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [10]
