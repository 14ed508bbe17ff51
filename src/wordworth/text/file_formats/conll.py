"""CoNLL columns: a word on each line, its tags beside it, a blank line between sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.text.file_formats.base import ColumnType, FileFormat, Row, require_columns
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile, read_raw

_SPACES = re.compile(r"[ \t]+")  # no other white space: words may hold a no-break space
_DOCUMENT = "-DOCSTART-"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a CoNLL file.

    Attributes:
        line: the number of the sentence's first line, from 1.
        rows: for each word the cells of its columns.
        documents: number of document marks before the sentence.
    """

    line: int
    rows: list[list[str]]
    documents: int


def read_conll(raw: RawFile, *, tagged: bool = True) -> TextTable:
    """Read a CoNLL file as a table with a row for each sentence.

    The table's columns are `words` (the file's first), `tags` (its last) and `column 2`, … between; cells are JSON
    arrays. In the file, columns are separated by tabs if the line of the first word has a tab, else by spaces.
    `-DOCSTART-` lines begin documents and are not sentences. Where tabs separate the columns, lines that begin with `#`
    and have no tab are comments.

    Args:
        raw: the file.
        tagged: whether tags are required; otherwise words alone are enough.

    Raises:
        BadInput: the file is not UTF-8, or a line has more or fewer columns than the first; the error names the line.
    """
    text = raw.text()
    sentences = list(_sentences(raw, text, 2 if tagged else 1))
    if not sentences:
        raise BadInput(
            "no sentences",
            where=raw.path,
            mend="put a word and its tag on each line, and a blank line between sentences",
        )
    width = len(sentences[0].rows[0])
    names = ["words", *(f"column {number}" for number in range(2, width)), "tags"][:width]
    columns: dict[str, list[str]] = {name: [] for name in names}
    for sentence in sentences:
        for name, values in zip(names, zip(*sentence.rows, strict=True), strict=True):
            columns[name].append(json.dumps(values, ensure_ascii=False))
    line_numbers = [sentence.line for sentence in sentences]
    first, marked = sentences[0].documents, text.startswith(_DOCUMENT) or "\n" + _DOCUMENT in text
    document_of = tuple(sentence.documents - first for sentence in sentences) if marked else None
    return TextTable(columns, raw.path, raw.sha256, line_numbers, document_of=document_of)


def _rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:
    """Yield the sentences of a file, with or without tags.

    The file is read whole, since a document mark at its end adds a column to all rows.
    """
    table = read_conll(read_raw(path), tagged=False)
    marked = {} if table.document_of is None else {"document": [str(number) for number in table.document_of]}
    cells = {**marked, **table.columns}
    require_columns(columns or (), cells, str(path))
    for row, number in enumerate(table.positions):
        yield number, {name: cells[name][row] for name in columns or cells}


def _write(path: Path, rows: Iterator[Mapping[str, Any]], columns: Mapping[str, ColumnType]) -> int:
    """Write one word and its tag per line, with a blank line after each sentence."""
    if not {"words", "tags"} <= columns.keys():
        mend = "give a .jsonl, .csv or .parquet"
        raise BadInput("a .conll holds tags, and this model does not predict tags", where=str(path), mend=mend)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            pairs = zip(row["words"], row["tags"], strict=True)
            file.writelines(f"{word}\t{tag}\n" for word, tag in pairs)
            file.write("\n")
            count += 1
    return count


def _sentences(raw: RawFile, text: str, least: int) -> Iterator[Sentence]:
    mark, width = _separator_and_width(raw, text, least)
    rows: list[list[str]] = []
    begins, documents = 1, 0
    for number, unstripped in enumerate(text.split("\n"), start=1):
        line = unstripped.strip(" \t\r")
        if mark == "\t" and _may_be_comment(line):
            continue
        if not line or line.startswith(_DOCUMENT):
            if rows:
                yield Sentence(begins, rows, documents)
            rows, documents = [], documents + bool(line)
            continue
        begins = begins if rows else number
        cells = _cells(line, mark)
        if len(cells) != width:
            what = f"{count_of(len(cells), 'column', 'columns')} where the first word has {width}"
            mend = "give every word a tag, and separate all columns the same way"
            raise BadInput(what, where=f"{raw.path}, line {number}", mend=mend)
        rows.append(cells)
    if rows:
        yield Sentence(begins, rows, documents)


def _separator_and_width(raw: RawFile, text: str, least: int) -> tuple[str, int]:
    """Return (separator of the columns, number of columns), from the line of the first word; (" ", 0) without words.

    Args:
        raw: the file, for the error.
        text: the content of the file.
        least: minimal number of columns.
    """
    lines = ((number, line.strip(" \t\r")) for number, line in enumerate(text.split("\n"), start=1))
    of_words = ((number, line) for number, line in lines if line and not line.startswith(_DOCUMENT))
    number, line = next(of_words, (0, ""))
    if _may_be_comment(line):
        after = next(((later, words) for later, words in of_words if not _may_be_comment(words)), (0, ""))
        number, line = after if "\t" in after[1] else (number, line)
    if not line:
        return " ", 0
    mark = "\t" if "\t" in line else " "
    width = len(_cells(line, mark))
    if width < least:
        mend = "write the word, a space or tab, and its tag"
        raise BadInput("a word without a tag", where=f"{raw.path}, line {number}", mend=mend)
    return mark, width


def _may_be_comment(line: str) -> bool:
    """Return whether a line is a comment in a file whose columns are separated by tabs."""
    return line.startswith("#") and "\t" not in line


def _cells(line: str, mark: str) -> list[str]:
    return _SPACES.split(line) if mark == " " and ("  " in line or "\t" in line) else line.split(mark)


CONLL = FileFormat(
    suffixes=(".conll", ".bio", ".iob", ".iob2", ".iobes", ".train", ".dev", ".test", ".testa", ".testb"),
    rows=_rows,
    table=read_conll,
    write=_write,
    nested=True,
)
