"""Files become rows: every cell as written, every row tied to its place."""

import bz2
import gzip
import hashlib
import lzma
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import read_rows


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


def test_places_of_many_rows_are_listed_shortly(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("text\n" + "x\n" * 20, encoding="utf-8")
    table = read_rows(path)
    assert table.listed([0, 2, 4, 6, 8, 10, 12]) == "lines 2, 4, 6, 8, 10 and 2 more"
    assert table.listed([3]) == "line 5"


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
