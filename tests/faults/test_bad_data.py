"""Every way a person's data can be unusable: one error that says what, where and how to mend it."""

import bz2
import gzip
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task

ROWS = [(f"text number {n} of many", "good" if n % 2 else "bad") for n in range(40)]
GOOD = "text,label\n" + "".join(f"{text},{label}\n" for text, label in ROWS)
LINES = "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in ROWS)
TAGGED = "EU B-ORG\nrejects O\n\nPeter B-PER\nspoke O\n\n" * 12


def parquet_bytes(columns: Mapping[str, Any]) -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue())


def rows(labels: list[str], header: str = "text,label") -> str:
    return f"{header}\n" + "".join(f"text number {n} of many,{label}\n" for n, label in enumerate(labels))


@dataclass(frozen=True, kw_only=True)
class Bad:
    """A file, how it is read, and what the error has to say."""

    what: str
    where: str = "a.csv"
    mend: str
    name: str = "a.csv"
    data: str | bytes = GOOD
    test: str | bytes | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


CASES = {
    "an empty file": Bad(data="", what="empty", mend="rows"),
    "only white space": Bad(data=" \n\n", what="empty", mend="rows"),
    "only a byte order mark": Bad(data=b"\xef\xbb\xbf", what="empty", mend="rows"),
    "a header alone": Bad(data="text,label\n", what="no rows", mend="rows under its header"),
    "a header of a parquet file alone": Bad(
        name="a.parquet", data=parquet_bytes({"text": pa.array([], pa.string())}), where="a.parquet",
        what="no rows", mend="rows under its header",
    ),
    "an unknown suffix": Bad(name="a.rtf", where="a.rtf", what="unknown kind of file '.rtf'", mend=".csv"),
    "no suffix": Bad(name="a", where="a", what="unknown kind of file", mend="rename it"),
    "an unknown format": Bad(settings={"format": "cvs"}, what="no format 'cvs'", mend="did you mean 'csv'"),
    "bytes of another encoding": Bad(
        data=GOOD.encode() + "caf\xe9,good\n".encode("latin-1"), where="a.csv, line 42",
        what=f"byte {len(GOOD) + 3} of the file is 0xe9", mend="iconv -f WINDOWS-1252",
    ),
    "UTF-16": Bad(data=GOOD.encode("utf-16"), where="line 1", what="UTF-16", mend="iconv -f UTF-16"),
    "a NUL byte": Bad(data=GOOD + "a\0b,good\n", where="line 42", what="NUL", mend="export it again"),
    "a row with too many fields": Bad(
        data=GOOD + "one, two,good\n", where="a.csv, line 42", what="3 fields where the header has 2", mend="quote",
    ),
    "a row with too few fields": Bad(
        data=GOOD + "one\n", where="a.csv, line 42", what="1 fields where the header has 2", mend="mend this row",
    ),
    "an unclosed quote": Bad(data=GOOD + '"open,good\n', where="line 42", what="broken quoting", mend="close every"),
    "text after a closing quote": Bad(data=GOOD + '"a" b,good\n', where="line 42", what="broken quoting", mend="twice"),
    "two columns of one name": Bad(
        data="text,label,text\na,b,c\n", where="line 1", what="two columns are named 'text'", mend="a name of its own",
    ),
    "two columns without a name": Bad(data="text,,\na,b,c\n", where="line 1", what="no name", mend="a name of its own"),
    "a missing column": Bad(settings={"text": "body"}, what="text column 'body' not found", mend="available: 'text'"),
    "a misspelt column": Bad(settings={"label": "lable"}, what="'lable' not found", mend="did you mean 'label'?"),
    "a misspelt second text": Bad(
        settings={"text": "text", "text_b": "txet"}, what="second text column 'txet'", mend="did you mean 'text'?",
    ),
    "a column that serves twice": Bad(
        settings={"text": "text", "label": "text"}, what="'text' cannot serve twice", mend="different columns",
    ),
    "texts that cannot be guessed": Bad(
        data="a,b,label\n1,2,3\n", what="which column holds the texts", mend="--text",
    ),
    "labels that cannot be guessed": Bad(
        data="text,b,c\n1,2,3\n", what="which column holds the labels", mend="--label",
    ),
    "a broken line of JSON": Bad(
        name="a.jsonl", data=LINES + '{"text": "open\n', where="a.jsonl, line 41", what="not JSON", mend="whole object",
    ),
    "a line of JSON that is no object": Bad(
        name="a.jsonl",
        data=LINES + "[1, 2]\n",
        where="a.jsonl, line 41",
        what="an array",
        mend="one object on each line",
    ),
    "JSON nested without end": Bad(
        name="a.jsonl", data="[" * 100_000, where="a.jsonl, line 1", what="not JSON", mend="whole object",
    ),
    "half of a surrogate pair": Bad(
        name="a.jsonl", data=LINES + r'{"text": "\ud83d", "label": "good"}', where="line 41",
        what="surrogate", mend="both halves",
    ),
    "a parquet file that is none": Bad(
        name="a.parquet", data=b"PAR1 no, not really PAR1", where="a.parquet", what="not a whole Parquet", mend="again",
    ),
    "a truncated parquet file": Bad(
        name="a.parquet", data=parquet_bytes({"text": ["a"] * 500})[:-40], where="a.parquet",
        what="not a whole Parquet", mend="again",
    ),
    "a truncated .gz": Bad(
        name="a.csv.gz", data=gzip.compress(GOOD.encode())[:-20], where="a.csv.gz", what="damaged", mend="again",
    ),
    "a truncated .xz": Bad(
        name="a.csv.xz", data=lzma.compress(GOOD.encode())[:-20], where="a.csv.xz", what="damaged", mend="again",
    ),
    "a .bz2 that is none": Bad(name="a.csv.bz2", data=GOOD, where="a.csv.bz2", what="damaged", mend="again"),
    "an archive bomb": Bad(
        name="a.csv.bz2", data=bz2.compress(b"a" * 70 * 2**20), where="a.csv.bz2", what="bomb", mend="unpack it",
    ),
    "a CoNLL line without its tag": Bad(
        name="a.conll", data=TAGGED + "alone\n", where="a.conll, line 73", what="1 column where the first word has 2",
        mend="give every word a tag",
    ),
    "a CoNLL file of words alone": Bad(
        name="a.conll", data="EU\nrejects\n", where="line 1", what="without a tag", mend="a space or tab, and its tag",
    ),
    "a CoNLL file of document marks alone": Bad(
        name="a.conll", data="-DOCSTART- O\n\n", where="a.conll", what="no sentences", mend="a blank line between",
    ),
    "a tag outside the scheme": Bad(
        name="a.conll", data=TAGGED + "in O\nRome X-LOC\n", where="a.conll, line 73", what="tag 'X-LOC' of word 2",
        mend="available: 'B-ORG', 'B-PER', 'O'",
    ),
    "tags that are all O": Bad(
        name="a.conll", data=TAGGED.replace("B-ORG", "O").replace("B-PER", "O"), where="a.conll", what="'O'",
        mend="another column",
    ),
    "more words than tags": Bad(
        data=rows(["B-X O O O O"] * 30 + ["O O"]), where="line 32", what="5 words but 2 tags", mend="one tag for each",
    ),
    "rows without a label": Bad(
        data=rows(["good", "bad", ""] * 9), what="9 of 27 rows have no label (lines 4, 7, 10, 13, 16 and 4 more)",
        mend="fill them in",
    ),
    "NaN labels": Bad(
        data=rows(["good", "bad"] * 12 + ["NaN"]), what="1 of 25 rows has no label (line 26)", mend="--skip-unusable",
    ),
    "null labels in parquet": Bad(
        name="a.parquet", where="a.parquet", what="1 of 31 rows has no label (row 31)", mend="fill them in",
        data=parquet_bytes({"text": [f"t{n}" for n in range(31)], "label": [1.0, 2.0] * 15 + [None]}),
    ),
    "one class only": Bad(data=rows(["good"] * 30), what="every row has the label 'good'", mend="second class"),
    "an identifier as the label": Bad(
        data=rows([f"id{n}" for n in range(30)]), what="30 different values in 30 rows", mend="another --label",
    ),
    "too few rows": Bad(data=rows(["good", "bad"] * 4), what="8 rows are too few", mend="label 20 or more"),
    "texts that are all empty": Bad(
        data="text,label\n" + ",good\n,bad\n" * 15, what="every text in column 'text' is empty", mend="another --text",
    ),
    "texts that are all the same": Bad(
        data="text,label\n" + "same,good\nsame,bad\n" * 15, what="is the same", mend="another --text",
    ),
    "texts that nearly all repeat": Bad(
        data="text,label\n" + "one,good\ntwo,bad\n" * 15, what="rows in the test part", mend="texts that differ",
    ),
    "an amount that is no number": Bad(
        data=rows(["0.5", "1.5"] * 12 + ["much"]), settings={"kind": "regression"}, where="line 26",
        what="label 'much' is not a number", mend="write a number",
    ),
    "an amount with a comma among amounts with points": Bad(
        data=rows(["0.5", "1.5"] * 12 + ['"2,5"']), settings={"kind": "regression"}, where="line 26",
        what="'2,5' is not a number", mend="write 2.5, or all rows in the same notation",
    ),
    "a file without a header": Bad(
        data=GOOD.partition("\n")[2], what="the first line reads like a row, not like column names",
        where="a.csv, line 1", mend="put a line of names above it, such as text,label",
    ),
    "a file without a header, of sentences and classes": Bad(
        data="".join(f"we saw film number {n} of them all,{one}\n" for n, one in enumerate(["good", "bad"] * 20)),
        what="the first line reads like a row", where="a.csv, line 1", mend="--text and --label",
    ),
    "an infinite amount": Bad(
        data=rows(["0.5", "1.5"] * 12 + ["inf"]), settings={"kind": "regression"}, where="line 26",
        what="'inf' is not a number", mend="write a number",
    ),
    "amounts that are all the same": Bad(
        data=rows(["0.5"] * 25), settings={"kind": "regression"}, what="every row has the label 0.5", mend="--label",
    ),
    "a label column that is no 0 or 1": Bad(
        data=rows(["1,0", "0,1"] * 12 + ["0,maybe"], "text,spam,rude"), settings={"label": ("spam", "rude")},
        where="line 26", what="'rude' holds 'maybe'", mend="write 0 or 1",
    ),
    "the same labels in every row": Bad(
        data=rows(["1,0"] * 30, "text,spam,rude"), settings={"label": ("spam", "rude")}, what="the same labels",
        mend="another --label",
    ),
    "several label columns for one class": Bad(
        data=rows(["1,0", "0,1"] * 12, "text,spam,rude"), settings={"label": ("spam", "rude"), "kind": "single"},
        what="one label column", mend="--kind multilabel",
    ),
    "an unknown kind": Bad(settings={"kind": "taging"}, where="--kind", what="'taging'", mend="did you mean 'tagging'"),
    "pairs without a second text": Bad(settings={"kind": "pair"}, what="second texts", mend="--text-b"),
    "a second text for one text": Bad(
        data=rows(["more,good", "less,bad"] * 12, "text,other,label"),
        settings={"kind": "single", "text": "text", "text_b": "other"}, what="takes one text", mend="--kind pair",
    ),
    "an unknown metric": Bad(
        settings={"metric": "acuracy"}, what="no metric 'acuracy'", where="--metric", mend="mean 'accuracy'"
    ),
    "a metric of an unknown class": Bad(settings={"metric": "f1:god"}, what="no class 'god'", mend="mean 'good'"),
    "a metric of another kind": Bad(settings={"metric": "spearman"}, what="not measure", mend="available: 'accuracy'"),
    "a test share past one": Bad(settings={"test": "1.5"}, where="--test", what="not a share", mend="between 0 and 1"),
    "a limit of nothing": Bad(settings={"limit": 3}, where="--limit", what="3 rows are too few", mend="20 or more"),
    "a test file of other columns": Bad(
        test=GOOD.replace("label", "lable"), where="test.csv", what="no column 'label'", mend="did you mean 'lable'?",
    ),
    "a test file of other classes": Bad(
        test=rows(["good", "ugly"] * 15), where="test.csv", what="'ugly'", mend="add examples of these classes",
    ),
    "a test file of a few rows": Bad(test=rows(["good", "bad"]), where="test.csv", what="only 2 rows", mend="--test"),
    "an empty test file": Bad(test="", where="test.csv", what="empty", mend="rows"),
    "a training file of one class": Bad(
        data=rows(["good"] * 30), test=rows(["good", "bad"] * 15), what="only one label", mend="second class",
    ),
}  # fmt: skip


def write(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("bad", CASES.values(), ids=CASES)
def test_bad_data_is_refused_with_what_where_and_how_to_mend_it(tmp_path: Path, bad: Bad) -> None:
    path = write(tmp_path, bad.name, bad.data)
    own = {} if bad.test is None else {"test": str(write(tmp_path, "test.csv", bad.test))}
    with pytest.raises(BadInput) as caught:
        read_task(path, ReadSettings(**bad.settings, **own))
    assert bad.what in caught.value.what
    assert bad.where in caught.value.where
    assert bad.mend in caught.value.mend
    assert caught.value.in_flags == f"{caught.value.where}: {caught.value.what}; {caught.value.mend}"


def test_a_missing_file_gets_the_name_of_the_near_one(tmp_path: Path) -> None:
    write(tmp_path, "reviews.csv", GOOD)
    with pytest.raises(BadInput, match=r"no such file; did you mean 'reviews.csv'\?"):
        read_task(tmp_path / "review.csv")


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file in"):
        read_task(tmp_path / "nowhere" / "reviews.csv")


def test_a_folder_instead_of_a_file_names_a_file_in_it(tmp_path: Path) -> None:
    write(tmp_path, "reviews.csv", GOOD)
    with pytest.raises(BadInput, match=r"this is a folder, not a file; name a file in it, such as .*reviews\.csv"):
        read_task(tmp_path)


def test_a_device_is_no_file() -> None:
    with pytest.raises(BadInput, match="not a regular file; save it as a file first"):
        read_task("/dev/null")


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)  # whoever runs the tests may be allowed everything
    with pytest.raises(BadInput, match="cannot read: Permission denied; check the file's permissions"):
        read_task(write(tmp_path, "a.csv", GOOD))
