"""TSV as GLUE has it: a line a row, quotation marks like any other character."""

from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.read_compressed_file import read_raw


def table_of(folder: Path, text: str, header: tuple[str, ...] | None = None):
    path = folder / "train.tsv"
    path.write_text(text, encoding="utf-8")
    return read_plain_tsv(read_raw(path), header)


def test_a_quotation_mark_opens_no_field(tmp_path: Path) -> None:
    table = table_of(tmp_path, 'sentence\tlabel\n"he said\t1\r\nhe said"\t0\n')
    assert table.columns == {"sentence": ['"he said', 'he said"'], "label": ["1", "0"]}
    assert [table.position(row) for row in (0, 1)] == ["line 2", "line 3"]


def test_a_file_without_a_header_gets_one(tmp_path: Path) -> None:
    table = table_of(tmp_path, "gj04\t1\t\tIt is.\n", ("source", "label", "mark", "text"))
    assert (table.columns["text"], table.columns["mark"]) == (["It is."], [""])


def test_a_few_broken_lines_are_left_out_and_counted(tmp_path: Path) -> None:
    table = table_of(tmp_path, "a\tb\n" + "x\ty\n" * 200 + "broken\n")
    assert len(table) == 200
    assert table.notes[0].numbers == {"lines": 1, "rows": 201, "first": 202}


def test_many_broken_lines_are_an_error_that_names_the_first(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"train\.tsv, line 3: 1 fields where 2 are expected"):
        table_of(tmp_path, "a\tb\n" + "x\ty\nbroken\n" * 3)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="two columns are named 'a'"):
        table_of(tmp_path, "a\ta\nx\ty\n")


def test_columns_that_are_not_wanted_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("a\tb\tc\n1\t2\t3\n", encoding="utf-8")
    assert read_plain_tsv(read_raw(path), only={"a", "c", "z"}).columns == {"a": ["1"], "c": ["3"]}


def own_table(folder: Path, text: str):
    (folder / "own.tsv").write_text(text, encoding="utf-8")
    return read_rows(folder / "own.tsv")


def test_quotation_marks_of_a_users_file_join_no_lines(tmp_path: Path) -> None:
    table = own_table(tmp_path, 'text\tlabel\n"fine\t1\nbad"\t0\n"good"\t1\n')
    assert table.columns == {"text": ['"fine', 'bad"', '"good"'], "label": ["1", "0", "1"]}
    assert table.notes == ()


def test_fields_that_a_program_quoted_are_kept_and_told_of_with_the_way_out(tmp_path: Path) -> None:
    text = 'text\tlabel\n"say ""hi"""\t1\nfine\t0\n'
    table = own_table(tmp_path, text)
    assert table.columns["text"] == ['"say ""hi"""', "fine"]
    assert [(note.name, note.numbers) for note in table.notes] == [("warning.quotes", {"fields": 1})]
    (tmp_path / "own.csv").write_text(text)
    assert read_rows(tmp_path / "own.csv").columns["text"] == ['say "hi"', "fine"]


def test_of_a_users_file_no_line_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"own\.tsv, line 202: 1 fields where 2 are expected; .* use a \.csv"):
        own_table(tmp_path, "a\tb\n" + "x\ty\n" * 200 + "broken\n")
