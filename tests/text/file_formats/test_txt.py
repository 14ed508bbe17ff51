"""A plain text file: a line is a text, and its number is that of its line."""

from wordworth.text.file_formats.txt import TXT, read_txt
from wordworth.text.read_compressed_file import read_raw


def written(folder, data):
    path = folder / "texts.txt"
    path.write_bytes(data)
    return path


def test_an_empty_line_is_an_empty_text_and_the_last_line_needs_no_end(tmp_path):
    table = read_txt(read_raw(written(tmp_path, b"one\n\n three \nfour")))
    assert table.columns == {"text": ["one", "", " three ", "four"]}
    assert table.where(2) == f"{tmp_path / 'texts.txt'}, line 3"


def test_empty_lines_at_the_end_are_no_texts(tmp_path):
    assert read_txt(read_raw(written(tmp_path, b"one\n\n\n"))).columns == {"text": ["one"]}


def test_lines_of_windows_are_the_same_texts(tmp_path):
    assert read_txt(read_raw(written(tmp_path, b"one\r\ntwo\r\n"))).columns == {"text": ["one", "two"]}


def test_a_carriage_return_within_a_line_stays(tmp_path):
    assert read_txt(read_raw(written(tmp_path, b"a\rb\n"))).columns == {"text": ["a\rb"]}


def test_row_by_row_the_lines_are_the_same(tmp_path):
    path = written(tmp_path, "eins\r\nzwölf\n".encode())
    table = read_txt(read_raw(path))
    rows = list(TXT.rows(path, None))
    assert [row["text"] for _, row in rows] == table.columns["text"]
    assert [number for number, _ in rows] == list(table.positions)
