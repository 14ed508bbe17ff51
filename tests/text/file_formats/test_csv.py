"""CSV, with the habits of the programs that write them."""

from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import iterate_rows, read_rows


def read(tmp_path: Path, text: str, name: str = "a.csv"):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_rows(path)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_delimiter_is_told_by_the_header(tmp_path: Path, mark: str) -> None:
    table = read(tmp_path, f"text{mark}label\nfine{mark}1\n")
    assert dict(table.columns) == {"text": ["fine"], "label": ["1"]}


def test_a_comma_wins_where_the_header_has_several_marks(tmp_path: Path) -> None:
    assert list(read(tmp_path, "text;old,label\nfine,1\n").columns) == ["text;old", "label"]


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    assert list(read(tmp_path, "\ufefftext,label\nfine,1\n").columns) == ["text", "label"]


def test_a_row_begins_at_the_line_of_its_first_character(tmp_path: Path) -> None:
    table = read(tmp_path, 'text,label\n"two\nlines",1\nnext,0\n')
    assert table.columns["text"] == ["two\nlines", "next"]
    assert [table.position(row) for row in (0, 1)] == ["line 2", "line 4"]


def test_a_field_of_a_million_characters_is_read_and_the_process_limit_put_back(tmp_path: Path) -> None:
    import csv

    before = csv.field_size_limit()
    assert len(read(tmp_path, f"text,label\n{'a' * 1_000_000},1\n").columns["text"][0]) == 1_000_000
    assert csv.field_size_limit() == before


def test_missing_values_by_other_programs_names_stay_text(tmp_path: Path) -> None:
    assert read(tmp_path, "text,label\nnull,NA\nnan,None\n").columns == {
        "text": ["null", "nan"],
        "label": ["NA", "None"],
    }


def test_an_unclosed_quote_names_the_line_it_opens_on(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 3: broken quoting"):
        read(tmp_path, 'text,label\nfine,1\n"open,0\nnext,1\n')


@pytest.mark.parametrize("text", ['text,label\r\n"one\r\ntwo",1\r\n"three\rfour",2\r\n', "text,label\rone,1\rtwo,2\r"])
def test_carriage_returns_are_read_alike_row_by_row_and_at_once(tmp_path: Path, text: str) -> None:
    table = read(tmp_path, text)
    assert [row for _, row in iterate_rows(tmp_path / "a.csv", named=True)] == [
        dict(zip(table.columns, cells, strict=True)) for cells in zip(*table.columns.values(), strict=True)
    ]
