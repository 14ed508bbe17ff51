"""Read sentences with a pronoun: tables, and the XML of the Winograd Schema Challenge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from wordworth.errors import BadInput
from wordworth.studies.commonsense.items import Choice
from wordworth.tasks.formats.pronoun_rows import PronounRow, pronoun_row
from wordworth.text.file_formats.table import TextTable
from wordworth.text.raw_file import RawFile

BLANKS = ("[MASK]", "_")
"""How the place of a pronoun may be written in a text without it."""
_ARTICLE = re.compile(r"(?:The|An?|My|His|Her|Their|Our|Its|Your)\b")
_CLOSING = ".,;:!?')"


def pronoun_items(table: TextTable) -> Iterator[Choice]:
    """Yield the item of each row in which the pronoun stands exactly once; in others its place is not known.

    Raises:
        BadInput: a row is none, or its pronoun is not in its text; names the line.
    """
    for row in range(len(table)):
        where = table.where(row)
        read = pronoun_row({name: cells[row] for name, cells in table.columns.items()}, where)
        spans = _spans(read)
        if not spans:
            mend = f"write it as it is in the text, or {' or '.join(BLANKS)} in its place in both"
            raise BadInput(f"the pronoun {read.pronoun!r:.40} is not in the text", where=where, mend=mend)
        if len(spans) == 1:
            start, end = spans[0]
            candidates = tuple(_with_article(each, read.text) for each in read.candidates)
            yield _item(read.text[:start], read.pronoun, read.text[end:], (candidates, read.answer))


def _with_article(candidate: str, text: str) -> str:
    """Return a candidate with the article that it has in the text, without which a sentence would not be English."""
    mention = re.search(rf"\bthe {re.escape(candidate)}(?!\w)", text, re.IGNORECASE)
    return f"the {candidate}" if mention and candidate[:1].islower() else candidate


def _spans(row: PronounRow) -> list[tuple[int, int]]:
    """Return where a pronoun stands, as a word of its own: first character, and the one after its last."""
    if not row.pronoun:
        return []
    left, right = (r"(?<!\w)" if row.pronoun[0].isalnum() else ""), (r"(?!\w)" if row.pronoun[-1].isalnum() else "")
    return [match.span() for match in re.finditer(left + re.escape(row.pronoun) + right, row.text)]


def _item(before: str, pronoun: str, after: str, answers: tuple[tuple[str, ...], int]) -> Choice:
    """Return an item whose candidates are written as the beginning or the middle of a sentence has them."""
    start = f"{before.rstrip()} " if before[-1:].isspace() else before
    rest = after.strip()
    gap = after[:1].isspace() and not rest.startswith(tuple(_CLOSING))
    begins = start.rstrip()[-1:] in {"", ".", "!", "?"}
    candidates, answer = answers
    options = tuple(_cased(each, begins=begins) for each in candidates)
    return Choice(start.lstrip(), options, f"{' ' if gap else ''}{rest}", answer, pronoun)


def _cased(candidate: str, *, begins: bool) -> str:
    if begins:
        return candidate[:1].upper() + candidate[1:]
    return candidate[:1].lower() + candidate[1:] if _ARTICLE.match(candidate) else candidate


def schema_items(raw: RawFile) -> Iterator[Choice]:
    """Yield the items of `WSCollection.xml` or `PDPChallenge2016.xml`, the files of the Winograd Schema Challenge.

    Raises:
        BadInput: the file is not such XML, or a schema lacks a part.
    """
    if b"<!DOCTYPE" in raw.data or b"<!ENTITY" in raw.data:  # entities could grow without end
        raise BadInput("this XML declares entities", where=raw.path, mend="save it without its DOCTYPE")
    try:
        schemas = ET.fromstring(raw.data).findall("schema")  # noqa: S314 - without entities there is nothing to expand
    except (ET.ParseError, ValueError, LookupError) as error:
        raise BadInput(f"this is not XML: {error}", where=raw.path, mend="fetch the file again") from error
    for number, schema in enumerate(schemas, start=1):
        yield _schema(schema, f"{raw.path}, schema {number}")


def _schema(schema: ET.Element, where: str) -> Choice:
    before, pronoun, after = (" ".join(_text(schema, f"text/{part}").split()) for part in ("txt1", "pron", "txt2"))
    candidates = tuple(" ".join((each.text or "").split()) for each in schema.findall("answers/answer"))
    letter = _text(schema, "correctAnswer").strip(" .\n\t").upper()
    answer = ord(letter) - ord("A") if len(letter) == 1 else -1
    if not pronoun or len(set(candidates)) < max(2, len(candidates)) or not 0 <= answer < len(candidates):
        what = "a schema without its pronoun, two different answers or the letter of the right one"
        raise BadInput(what, where=where, mend="mend the schema, or fetch the file again")
    return _item(f"{before} ".lstrip(), pronoun, f" {after}", (candidates, answer))


def _text(schema: ET.Element, path: str) -> str:
    return schema.findtext(path) or ""
