"""Words are looked up as written, then in lower case."""

from tests.studies.word_benchmarks.small_sets import FILES, table

from wordworth.studies.word_benchmarks import words


def test_words_are_found_as_written_and_then_in_lower_case(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100)
    assert "W1" in FILES["sim/EN-RG-65.txt"]
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [12]


def test_only_the_most_frequent_words_are_looked_at_where_so_many_are_asked_for(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100, most=11)
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [10]
