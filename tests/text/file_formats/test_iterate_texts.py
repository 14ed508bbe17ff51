from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import iterate_texts, read_rows

TEXTS = ["plain", "two, with a comma", 'a "quoted" one', "", "日本語 and emoji 🙂", "a\nline break"]


def as_csv(rows):
    file = io.StringIO(newline="")
    csv.writer(file).writerows([["name", "text"], *rows])
    return file.getvalue().encode()


def as_jsonl(rows):
    return "".join(json.dumps({"name": name, "text": text}) + "\n" for name, text in rows).encode()


def as_parquet(rows):
    file = io.BytesIO()
    parquet.write_table(pa.table({"name": [row[0] for row in rows], "text": [row[1] for row in rows]}), file)
    return file.getvalue()


WRITERS = {".csv": as_csv, ".jsonl": as_jsonl, ".parquet": as_parquet}


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_gives_the_same_rows(tmp_path, suffix):
    rows = [(str(number), text) for number, text in enumerate(TEXTS)]
    path = tmp_path / f"texts{suffix}"
    path.write_bytes(WRITERS[suffix](rows))
    assert list(iterate_texts(path, name="name")) == rows


@given(texts=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=20), max_size=8))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back_from_csv_and_jsonl_as_it_was(tmp_path, texts):
    rows = [(str(number), text) for number, text in enumerate(texts)]
    for suffix in (".csv", ".jsonl"):
        path = tmp_path / f"texts{suffix}"
        path.write_bytes(WRITERS[suffix](rows))
        assert list(iterate_texts(path, name="name")) == rows


def test_a_txt_has_a_text_a_line_and_an_empty_line_is_an_empty_text(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes("\ufeffone\r\n\nthree".encode())
    assert [text for _, text in iterate_texts(path)] == ["one", "", "three"]


def test_packed_files_are_read_through(tmp_path):
    path = tmp_path / "texts.txt.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert [text for _, text in iterate_texts(path)] == ["one", "two"]


BROKEN = {
    "bad.txt": (b"fine\nb\xffd\n", "line 2: not UTF-8: byte 1"),
    "bad.jsonl": (b'{"text": "a"}\n{"text": \n', "line 2: this line is not JSON"),
    "array.jsonl": (b"[1]\n", "line 1: this line holds an array, not an object"),
    "ragged.csv": (b"text,b\na,1\nonly\n", "line 3: 1 fields where the header has 2"),
    "open.csv": (b'text\n"never closed\n', "broken quoting"),
    "missing.csv": (b"txt\na\n", "did you mean 'txt'"),
    "torn.txt.gz": (gzip.compress(b"one\n" * 99)[:-9], "cannot read"),
    "no.parquet": (b"PAR1 nothing", "not a whole Parquet file"),
    "strange.docx": (b"x", "unknown kind of file"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named_with_its_place(tmp_path, name):
    content, message = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput, match=message):
        list(iterate_texts(path))


@pytest.mark.parametrize(("name", "mark"), [("a.csv", ";"), ("b.csv", "\t"), ("c.csv", ",")])
def test_what_parts_the_fields_is_told_as_for_a_table_that_is_read_whole(tmp_path, name, mark):
    path = tmp_path / name
    path.write_text(f'id{mark}text\n1{mark}"one; two, three"\n\n2{mark}four\n')
    assert list(iterate_texts(path, name="id")) == [("1", "one; two, three"), ("2", "four")]
    assert read_rows(path).columns["text"] == ["one; two, three", "four"]


def test_a_tsv_is_read_by_lines_and_tabs_whatever_quotation_marks_stand_in_it(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text('id\ttext\r\n1\t"one\r\n\r\n2\t"two" and\r\n3\tthree"\r\n')
    assert list(iterate_texts(path, name="id")) == [("1", '"one'), ("2", '"two" and'), ("3", 'three"')]
    path.write_text("id\ttext\n1\tone\n2\n")
    with pytest.raises(BadInput, match=r"a\.tsv, line 3: 1 fields where the header has 2; .* use a \.csv"):
        list(iterate_texts(path, name="id"))


def test_a_file_that_is_not_there_brings_up_its_like_and_nothing_else(tmp_path):
    for name in ("texts.csv", "other.jsonl", "code.py"):
        (tmp_path / name).write_text("x\n")
    with pytest.raises(BadInput, match="other") as told:
        list(iterate_texts(tmp_path / "a.jsonl"))
    assert "code.py" not in str(told.value)
    with pytest.raises(BadInput, match=r"there is no \.parquet file"):
        list(iterate_texts(tmp_path / "a.parquet"))
    with pytest.raises(BadInput, match="standard input is not read"):
        list(iterate_texts(Path("-")))
