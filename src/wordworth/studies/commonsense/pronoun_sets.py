"""Read sentences with a pronoun: tables, and the XML of the Winograd Schema Challenge."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from wordworth.errors import BadInput
from wordworth.studies.commonsense.items import Choice
from wordworth.tasks.formats.pronoun_gaps import PronounGap, gaps_of, pronoun_gap
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile


def pronoun_items(table: TextTable) -> Iterator[Choice]:
    """Yield the item of each row whose text has the pronoun exactly once; other rows are ambiguous and left out.

    Raises:
        BadInput: a cell of a row cannot be used, or its pronoun is not in its text; the error names the line.
    """
    for row, gap in gaps_of(table):
        yield _item(gap, row.answer)


def _item(gap: PronounGap, answer: int) -> Choice:
    return Choice(gap.before, gap.candidates, gap.after, answer, gap.pronoun)


def schema_items(raw: RawFile) -> Iterator[Choice]:
    """Yield the items of `WSCollection.xml` or `PDPChallenge2016.xml`, the files of the Winograd Schema Challenge.

    Raises:
        BadInput: the file is not XML or declares entities, or a schema lacks its pronoun, two different answers, or the
            letter of the right answer.
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
    return _item(pronoun_gap(f"{before} ".lstrip(), pronoun, f" {after}", candidates), answer)


def _text(schema: ET.Element, path: str) -> str:
    return schema.findtext(path) or ""
