"""A table knows where in its file each row stands, whatever was left out."""

import pytest

from wordworth.errors import BadInput
from wordworth.text.file_formats.table import TextTable, check_names, document_numbers


def table(rows=4, **more):
    columns = {"text": [f"t{row}" for row in range(rows)], "label": list("abcdefgh")[:rows]}
    return TextTable(columns, "reviews.csv", "0" * 64, range(2, rows + 2), **more)


def test_a_row_is_located_by_its_line_and_a_header_by_the_first():
    assert (table().where(0), table().where_header) == ("reviews.csv, line 2", "reviews.csv, line 1")
    rows = table(unit="row")
    assert (rows.where(0), rows.where_header) == ("reviews.csv, row 2", "reviews.csv")


@pytest.mark.parametrize(
    ("rows", "words"), [([1], "line 3"), ([0, 3], "lines 2, 5"), ([0, 1, 2, 3], "lines 2, 3 and 2 more")]
)
def test_several_rows_are_located_in_a_few_words(rows, words):
    assert table().locations(rows, most=2) == words


def test_rows_that_are_left_keep_their_lines_and_their_numbers():
    left = table(document_of=(0, 0, 1, 1)).without({0, 2})
    assert left.columns == {"text": ["t1", "t3"], "label": ["b", "d"]}
    assert [left.position(row) for row in range(len(left))] == ["line 3", "line 5"]
    assert (left.indices, left.document_of, left.rows_in_file) == ((1, 3), (0, 1), 4)


def test_leaving_out_twice_is_leaving_out_at_once():
    twice, once = table(6).without({0}).without({1}), table(6).without({0, 2})
    assert (twice.columns, twice.indices, twice.rows_in_file) == (once.columns, once.indices, once.rows_in_file)
    assert list(twice.positions) == list(once.positions)


def test_a_field_of_an_object_is_no_column():
    nested = TextTable({"message": ['{"body": "a text"}']}, "mails.jsonl", "0" * 64, range(1, 2))
    with pytest.raises(BadInput, match="'message' holds objects: write 'body' as a column of its own"):
        nested.column("message.body", "text")


def test_a_column_that_is_not_there_is_asked_for_with_the_near_one():
    with pytest.raises(BadInput, match="text column 'texts' not found") as error:
        table().column("texts", "text")
    assert "did you mean 'text'" in error.value.mend
    with pytest.raises(BadInput, match=r"^reviews\.csv: column 'x' not found"):
        table().column("x")


def test_documents_are_numbered_where_the_name_changes():
    assert document_numbers(["a", "a", "b", "a"]) == (0, 0, 1, 2)
    assert document_numbers(["", ""]) is None
    assert document_numbers([]) is None


def test_two_columns_of_one_name_are_refused():
    check_names(["a", "A"], "x.csv")
    with pytest.raises(BadInput, match="two columns are named 'a'"):
        check_names(["a", "b", "a"], "x.csv")
    with pytest.raises(BadInput, match="two columns have no name"):
        check_names(["", "b", ""], "x.csv")
