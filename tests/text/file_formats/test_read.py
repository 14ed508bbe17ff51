"""Files become rows: every cell as written, every row tied to its place."""

from __future__ import annotations

import bz2
import csv
import gzip
import hashlib
import io
import json
import lzma
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import iterate_column, iterate_texts, read_rows


def zstd(data):
    return pa.compress(data, codec="zstd", asbytes=True)


PACK = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress, ".zst": zstd}
ROWS = b"text,label\nfine,1\n\nbad,0\n"


@pytest.mark.parametrize("packing", list(PACK))
def test_a_packed_file_gives_the_same_rows_and_its_own_hash(tmp_path: Path, packing: str) -> None:
    path = tmp_path / f"reviews.csv{packing}"
    path.write_bytes(PACK[packing](ROWS))
    table = read_rows(path)
    assert dict(table.columns) == {"text": ["fine", "bad"], "label": ["1", "0"]}
    assert table.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert table.where(1) == f"{path}, line 4"


def test_suffixes_count_in_any_case_and_a_format_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "A.CSV.GZ").write_bytes(gzip.compress(ROWS))
    (tmp_path / "reviews.dat").write_bytes(ROWS)
    assert len(read_rows(tmp_path / "A.CSV.GZ")) == 2
    assert len(read_rows(tmp_path / "reviews.dat", format="csv")) == 2


def test_an_archive_bomb_is_refused_before_it_fills_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"text,label\n" + b"a" * 80 * 2**20, compresslevel=9))
    with pytest.raises(BadInput, match="archive bomb"):
        read_rows(path)


def test_a_misspelt_column_gets_the_near_one(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_bytes(ROWS)
    with pytest.raises(BadInput, match="did you mean 'label'"):
        read_rows(path).column("lable", "label")


@pytest.mark.parametrize(
    ("suffix", "unit", "begin"), [(".csv", "line", 2), (".jsonl", "line", 1), (".parquet", "row", 1)]
)
def test_a_column_comes_with_the_position_of_each_cell(tmp_path: Path, suffix: str, unit: str, begin: int) -> None:
    path = tmp_path / f"few{suffix}"
    write(path, {"text": ["a", "b"], "id": ["x", "y"]})
    assert list(iterate_column(path, "id")) == [(f"{unit} {begin}", "x"), (f"{unit} {begin + 1}", "y")]
    with pytest.raises(BadInput, match="column 'ids' not found"):
        list(iterate_column(path, "ids"))


def test_places_of_many_rows_are_listed_shortly(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("text\n" + "x\n" * 20, encoding="utf-8")
    table = read_rows(path)
    assert table.locations([0, 2, 4, 6, 8, 10, 12]) == "lines 2, 4, 6, 8, 10 and 2 more"
    assert table.locations([3]) == "line 5"


UNUSUAL = [
    "<b>bold</b> & <script>alert(1)</script>",
    "🙂👩‍👩‍👧 ok",
    "שלום עולם مرحبا",
    "bell\x07 tab\t escape\x1b[31m",
    "line\nbreak\r\nand\rreturn",
    "  spaces  ",
    "null",
    "NA",
    "\u2028 separator \x85",
    "word " * 100_000,
]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_unusual_texts_pass_through_unchanged(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"unusual{suffix}"
    write(path, {"text": UNUSUAL, "label": [str(n) for n in range(len(UNUSUAL))]})
    assert read_rows(path).columns["text"] == UNUSUAL


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=8),
    suffix=st.sampled_from([".csv", ".jsonl", ".parquet"]),
)
def test_what_is_written_is_what_is_read(tmp_path: Path, rows: list[tuple[str, str]], suffix: str) -> None:
    columns = {"text": [a for a, _ in rows], "label": [b for _, b in rows]}
    path = tmp_path / f"drawn{suffix}"
    write(path, columns)
    assert dict(read_rows(path).columns) == columns


def write(path: Path, columns: dict[str, list[str]]) -> None:
    """Columns as a file of the path's format, by a writer that is not ours."""
    import pandas as pd

    frame = pd.DataFrame(columns)
    if path.suffix == ".csv":
        frame.to_csv(path, index=False, quoting=1, lineterminator="\n")
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    else:
        frame.to_parquet(path)


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


@pytest.mark.parametrize(("columns", "mend"), [
    ({}, "give --text NAME; did you mean 'text_a' or 'text_b'?"),
    ({"text": "text_a", "name": "idd"}, "give --id NAME; did you mean 'id'?"),
])  # fmt: skip
def test_a_column_that_is_not_there_is_mended_by_its_option_with_every_column_that_is_as_like(tmp_path, columns, mend):
    path = tmp_path / "pairs.csv"
    path.write_text("id,text_a,text_b\n1,one,two\n")
    with pytest.raises(BadInput) as error:
        list(iterate_texts(path, **columns))
    assert error.value.mend == mend


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
