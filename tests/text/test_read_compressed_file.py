"""The bytes of a file: whole or line by line, packed or not, and refused in one line where they are no text."""

import bz2
import gzip
import hashlib
import lzma
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.read_compressed_file import (
    check_file,
    check_rows_file,
    lines,
    open_decompressed,
    read_raw,
    suffix_of,
)

PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
TEXT = "one\ntwo\r\n日本語\n\nlast"


@pytest.mark.parametrize("packing", PACK)
def test_a_file_has_its_text_its_kind_and_the_hash_of_its_bytes(tmp_path, packing):
    path = tmp_path / f"rows.TXT{packing}"
    path.write_bytes(PACK[packing](TEXT.encode()))
    raw = read_raw(path)
    assert raw.text() == TEXT
    assert raw.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert suffix_of(path.name) == ".txt"


@pytest.mark.parametrize("packing", PACK)
def test_lines_are_numbered_from_one_and_lose_their_ends_and_the_byte_order_mark(tmp_path, packing):
    path = tmp_path / f"rows.txt{packing}"
    path.write_bytes(PACK[packing](b"\xef\xbb\xbf" + TEXT.encode()))
    assert list(lines(path)) == [(1, "one"), (2, "two"), (3, "日本語"), (4, ""), (5, "last")]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_characters="\n\r\ufeff", codec="utf-8"), max_size=8), max_size=8))
def test_lines_are_those_that_were_written_however_small_the_blocks(tmp_path, monkeypatch, texts):
    monkeypatch.setattr("wordworth.text.read_compressed_file._PIECE", 5)
    path = tmp_path / "rows.txt"
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    assert [line for _, line in lines(path)] == texts


def test_bytes_that_are_not_utf8_are_named_by_line_and_place(tmp_path):
    path = tmp_path / "rows.txt"
    path.write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(BadInput, match=r"rows\.txt, line 2: not UTF-8: byte 3 of this line"):
        list(lines(path))
    with pytest.raises(BadInput, match=r"rows\.txt, line 2: not UTF-8: byte 8 of the file is 0xe9"):
        read_raw(path).text()
    path.write_bytes(b"\xef\xbb\xbffine\ncaf\xe9\n")
    with pytest.raises(BadInput, match=r"rows\.txt, line 2: not UTF-8: byte 11 of the file is 0xe9"):
        read_raw(path).text()


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("wordworth.text.read_compressed_file._LONGEST_LINE", 10)
    (tmp_path / "rows.txt").write_text("short\n" + "x" * 20)
    with pytest.raises(BadInput, match=r"line 2: this line is longer than 10 bytes"):
        list(lines(tmp_path / "rows.txt"))


def test_a_damaged_archive_is_refused_whole_and_as_a_stream(tmp_path):
    path = tmp_path / "rows.txt.gz"
    path.write_bytes(gzip.compress(TEXT.encode() * 100)[:-9])
    with pytest.raises(BadInput, match="archive is damaged"):
        read_raw(path)
    with pytest.raises(BadInput, match="cannot read"), open_decompressed(path) as file:
        file.read()


def test_a_folder_a_missing_file_and_a_spreadsheet_are_told_with_what_to_do(tmp_path):
    (tmp_path / "rows.csv").write_text("text\n")
    with pytest.raises(BadInput, match="this is a folder, not a file; name a file in it, such as"):
        check_file(tmp_path)
    with pytest.raises(BadInput, match=r"there is no such file; did you mean 'rows\.csv'"):
        check_file(tmp_path / "row.csv")
    (tmp_path / "book.csv").write_bytes(b"PK\x03\x04rest")
    with pytest.raises(BadInput, match="this is a spreadsheet, not a text file"):
        check_rows_file(tmp_path / "book.csv")


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_a_file_of_nothing_is_empty(tmp_path, content):
    (tmp_path / "rows.txt").write_bytes(content)
    with pytest.raises(BadInput, match="the file is empty"):
        read_raw(tmp_path / "rows.txt")


def test_the_name_of_a_model_in_the_place_of_a_file_is_said_to_be_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="minilm: this is the name of a model, and there is no such file; name it as"):
        check_file(Path("minilm"))


def test_a_name_without_an_ending_that_is_no_file_gets_a_whole_sentence(tmp_path):
    (tmp_path / "rows.csv").write_text("text\na\n")
    with pytest.raises(BadInput, match="there is no such file; check the path"):
        check_file(tmp_path / "reviews")
