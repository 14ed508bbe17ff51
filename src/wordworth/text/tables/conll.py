"""CoNLL columns: a word on each line, its tags beside it, a blank line between sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.text.raw_file import RawFile
from wordworth.text.tables.table import TextTable

_SPACES = re.compile(r"[ \t]+")  # no other white space: words may hold a no-break space
_DOCUMENT = "-DOCSTART-"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: the line it begins at, the columns of its words, and the number of document marks before it."""

    line: int
    rows: list[list[str]]
    documents: int


def read_conll(stored: RawFile, *, tagged: bool = True) -> TextTable:
    """The table of a CoNLL file, a row for each sentence.

    Its columns are `words` (the first), `tags` (the last) and `column 2`, … between; cells are JSON arrays. Columns are
    separated by tabs if the line of the first word has one, else by spaces. `-DOCSTART-` lines begin documents and are
    not sentences.

    Args:
        stored: the file.
        tagged: whether tags are required; otherwise words alone are enough.

    Raises:
        BadInput: not UTF-8, or a line with more or fewer columns than the first; names the line.
    """
    text = stored.text()
    sentences = list(_sentences(stored, text, 2 if tagged else 1))
    if not sentences:
        raise BadInput(
            "no sentences",
            where=stored.path,
            mend="put a word and its tag on each line, and a blank line between sentences",
        )
    width = len(sentences[0].rows[0])
    names = ["words", *(f"column {number}" for number in range(2, width)), "tags"][:width]
    columns: dict[str, list[str]] = {name: [] for name in names}
    for sentence in sentences:
        for name, values in zip(names, zip(*sentence.rows, strict=True), strict=True):
            columns[name].append(json.dumps(values, ensure_ascii=False))
    line_numbers = [sentence.line for sentence in sentences]
    documents = text.count("\n" + _DOCUMENT) + text.startswith(_DOCUMENT)
    first = sentences[0].documents
    document_of = tuple(sentence.documents - first for sentence in sentences) if documents else None
    return TextTable(columns, stored.path, stored.sha256, line_numbers, documents=documents, document_of=document_of)


def _sentences(stored: RawFile, text: str, least: int) -> Iterator[Sentence]:
    mark, width = _separator_and_width(stored, text, least)
    rows: list[list[str]] = []
    begins, documents = 1, 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip(" \t\r")
        if not line or line.startswith(_DOCUMENT):
            if rows:
                yield Sentence(begins, rows, documents)
            rows, documents = [], documents + bool(line)
            continue
        begins = begins if rows else number
        cells = _cells(line, mark)
        if len(cells) != width:
            what = f"{len(cells)} columns where the first word has {width}"
            mend = "give every word a tag, and separate all columns the same way"
            raise BadInput(what, where=f"{stored.path}, line {number}", mend=mend)
        rows.append(cells)
    if rows:
        yield Sentence(begins, rows, documents)


def _separator_and_width(stored: RawFile, text: str, least: int) -> tuple[str, int]:
    """The separator of the columns, and their number."""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip(" \t\r")
        if not line or line.startswith(_DOCUMENT):
            continue
        mark = "\t" if "\t" in line else " "
        width = len(_cells(line, mark))
        if width < least:
            mend = "write the word, a space or tab, and its tag"
            raise BadInput("a word without a tag", where=f"{stored.path}, line {number}", mend=mend)
        return mark, width
    return " ", 0


def _cells(line: str, mark: str) -> list[str]:
    return _SPACES.split(line) if mark == " " and ("  " in line or "\t" in line) else line.split(mark)
