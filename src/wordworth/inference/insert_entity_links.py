"""`link_entities`: write links to entities, given as spans in a second table, into the texts of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import as_path, require_distinct
from wordworth.inference.entity_settings import LinkSettings
from wordworth.models.entity_fusion.entity_table import read_entity_table
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.tasks.usual_columns import FIRST_TEXTS, usual_column
from wordworth.text.entity_links import Mention, write_links
from wordworth.text.file_formats.base import require_columns
from wordworth.text.file_formats.in_memory import TableSource, as_files
from wordworth.text.file_formats.read import read_rows, require_writable
from wordworth.text.file_formats.table import TextTable

_SPAN = ("row", "start", "end", "entity")
_MARKER, _COLUMN = "marker", "column"
_FORM = "give columns row, start, end and entity, and perhaps marker (HD, TL or ENT) and column"


@dataclass(frozen=True, slots=True)
class LinkReport:
    """Report of `link_entities` on the table that it wrote.

    Attributes:
        out: the file that was written.
        rows: number of rows, all of which were written.
        mentions: number of mentions.
        entities: number of different entities.
    """

    out: Path
    rows: int
    mentions: int
    entities: int


@documented_by(LinkSettings)
def link_entities(
    data: TableSource,
    links: TableSource,
    out: Path | str,
    *,
    text: str | None = None,
    entities: Path | str | None = None,
) -> LinkReport:
    """Write a table whose texts have links to entities, as models that fuse entities read them.

        ww.link_entities("news.csv", "links.csv", "linked.csv", entities="kg/")

    A mention of an entity becomes `[[entity|mention]]` in its text, or `[[HD:entity|mention]]` with a marker; all other
    columns and rows stay as they are.

    Args:
        data: a table of texts.
        links: a table with columns `row` (the first row of `data` is 0), `start` and `end` (characters of the text, the
            first is 0, the end is the one after the last) and `entity`. Two columns are optional: `marker` (HD
            for the head of a relation, TL for its tail, ENT for a mention whose type is asked for, or empty), and
            `column` (the column of the text, for pairs of texts).
        out: the table to write: .jsonl, .csv or .parquet.

    Raises:
        BadInput: a table cannot be read, a span lies outside its text or overlaps another, an entity is not among
            `entities`, or `out` cannot be written.
    """
    settings = settings_from({"text": text, "entities": entities}, LinkSettings)
    target = as_path(out, "--out")
    chosen = require_writable(target)
    if ".conll" in chosen.suffixes:
        mend = "give a .jsonl, .csv or .parquet"
        raise BadInput("a .conll holds tagged words, not texts with links", where=str(target), mend=mend)
    vectors = settings.entities
    known = None if vectors is None else frozenset(read_entity_table(as_path(vectors, "--entities")).ids)
    with as_files(data, links) as (texts_path, links_path):
        require_distinct(target, *(path for path in (texts_path, links_path) if path is not None))
        table, spans = read_rows(texts_path), read_rows(links_path)
        require_columns(_SPAN, spans.columns, spans.path)
        column = _text_column(table, settings.text)
        mentions = _mentions(spans, table, column, known)
        columns = dict(table.columns)
        for name, by_row in mentions.items():
            columns[name] = _linked(table, name, by_row, spans)
    rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
    chosen.write(target, rows, dict.fromkeys(columns, "text"))
    every = [mention for by_row in mentions.values() for each in by_row.values() for _, mention in each]
    return LinkReport(target, len(table), len(every), len({mention.entity for mention in every if mention.entity}))


_Numbered = tuple[int, Mention]
"""The index of a row of the links, and its mention."""


def _text_column(table: TextTable, text: str | None) -> str:
    if text is not None:
        require_columns((text,), table.columns, table.path)
        return text
    guessed = usual_column(table.columns, FIRST_TEXTS)
    if guessed is None:
        raise BadInput("no column of texts was recognised", where=table.path, mend="name it by --text")
    return guessed


def _mentions(
    spans: TextTable, table: TextTable, text: str, known: Container[str] | None
) -> Mapping[str, Mapping[int, list[_Numbered]]]:
    """Return column of texts -> row of `table` -> mentions, each with the index of its row in the file of links."""
    by_column: dict[str, dict[int, list[_Numbered]]] = defaultdict(lambda: defaultdict(list))
    for number, cells in enumerate(_rows(spans)):
        where = f"{spans.path}, {spans.unit} {spans.positions[number]}"
        row, start, end = (_whole(cells[name], name, where) for name in _SPAN[:3])
        column = cells.get(_COLUMN) or text
        require_columns((column,), table.columns, where)
        if not row < len(table):
            mend = "count rows from 0, without the header"
            raise BadInput(f"row {row}, and the texts have {len(table):,} rows", where=where, mend=mend)
        entity = cells["entity"].strip()
        if known is not None and entity and entity not in known:
            mend = "leave its links out, or give a table of vectors that has it"
            raise BadInput(f"the entity {entity!r:.60} has no vector", where=where, mend=mend)
        marker = cells.get(_MARKER, "").strip()
        if not entity and not marker:
            what = "this mention has neither an entity nor a marker"
            raise BadInput(what, where=where, mend="give one of them, or leave the row out")
        by_column[column][row].append((number, Mention(start, end, entity, marker)))
    return by_column


def _rows(table: TextTable) -> Iterator[Mapping[str, str]]:
    for cells in zip(*table.columns.values(), strict=True):
        yield dict(zip(table.columns, cells, strict=True))


def _whole(cell: str, name: str, where: str) -> int:
    if not cell.strip().isdecimal():
        raise BadInput(f"{name} is {cell!r:.40}, not a whole number from 0 on", where=where, mend=_FORM)
    return int(cell)


def _linked(table: TextTable, column: str, mentions: Mapping[int, Sequence[_Numbered]], spans: TextTable) -> list[str]:
    """Return the cells of a column of texts, in which mentions are marked as links."""
    cells = list(table.columns[column])
    for row, numbered in mentions.items():
        try:
            cells[row] = write_links(cells[row], [mention for _, mention in numbered])
        except BadInput as error:
            raise _placed(cells[row], numbered, spans) or error from error
    return cells


def _placed(text: str, numbered: Sequence[_Numbered], spans: TextTable) -> BadInput | None:
    """Return the error about the first span that overlaps an earlier one or leaves the text, with its line in the file.

    The result is None if there is no such span.
    """
    for count, (number, _) in enumerate(numbered, start=1):
        try:
            write_links(text, [mention for _, mention in numbered[:count]])
        except BadInput as error:
            return BadInput(error.what, where=spans.where(number), mend=error.mend)
    return None
