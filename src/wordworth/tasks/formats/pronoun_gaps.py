"""Pronoun problems as texts with a gap where the pronoun stood, and candidates written so that they fit the gap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.tasks.examples import Examples
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.tasks.formats.pronoun_rows import PronounRow, pronoun_row
from wordworth.text.file_formats.read import read_table
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile

BLANKS = ("[MASK]", "_")
"""Strings that may stand in a text in place of its pronoun."""
_ARTICLE = re.compile(r"(?:The|An?|My|His|Her|Their|Our|Its|Your)\b")
_CLOSING = ".,;:!?')"


@dataclass(frozen=True, slots=True)
class PronounGap:
    """A text with a gap in the place of a pronoun, and the candidates to fill the gap.

    Attributes:
        before: the text before the gap; the text with candidate k is `before + candidates[k] + after`.
        pronoun: the pronoun that stood in the gap, or a blank (one of `BLANKS`), as the file writes it.
        after: the text after the gap.
        candidates: two or more noun phrases; one begins with a capital only if the gap begins a sentence or the phrase
            begins with a name.
    """

    before: str
    pronoun: str
    after: str
    candidates: tuple[str, ...]


def pronoun_gap(before: str, pronoun: str, after: str, candidates: tuple[str, ...]) -> PronounGap:
    """Return a text with a gap in the place of its pronoun, and the candidates written so that they fit the gap.

    White space around the gap is normalised, and a candidate begins with a capital only if the gap begins a sentence or
    the candidate is a name.

    Args:
        before: the text before the pronoun.
        pronoun: the pronoun as the text writes it.
        after: the text after the pronoun.
        candidates: two or more noun phrases.
    """
    start = f"{before.rstrip()} " if before[-1:].isspace() else before
    rest = after.strip()
    gap = after[:1].isspace() and not rest.startswith(tuple(_CLOSING))
    begins = start.rstrip()[-1:] in {"", ".", "!", "?"}
    cased = tuple(_cased(each, begins=begins) for each in candidates)
    return PronounGap(start.lstrip(), pronoun, f"{' ' if gap else ''}{rest}", cased)


def gap_in(text: str, pronoun: str, candidates: tuple[str, ...], where: str) -> PronounGap | None:
    """Return a text with a gap in the place of its pronoun; None if the pronoun occurs several times.

    A candidate that the text mentions with *the* gets that article.

    Args:
        text: the text with the pronoun, or with a blank in its place.
        pronoun: the pronoun or blank, as it is in the text.
        candidates: two or more noun phrases.
        where: file and line, for errors.

    Raises:
        BadInput: the pronoun is not in the text.
    """
    spans = _spans(text, pronoun)
    if not spans:
        mend = f"write it as it is in the text, or {' or '.join(BLANKS)} in its place in both"
        raise BadInput(f"the pronoun {pronoun!r:.40} is not in the text", where=where, mend=mend)
    if len(spans) > 1:
        return None
    start, end = spans[0]
    return pronoun_gap(text[:start], pronoun, text[end:], tuple(_with_article(each, text) for each in candidates))


def gaps_of(table: TextTable) -> Iterator[tuple[PronounRow, PronounGap]]:
    """Yield each row of a table of pronoun problems with its text, in which a gap replaces the pronoun.

    Rows whose pronoun occurs several times are skipped.

    Raises:
        BadInput: a row lacks a column, candidates or the answer, or its pronoun is not in its text; the error names the
            line.
    """
    for number in range(len(table)):
        where = table.where(number)
        row = pronoun_row({name: cells[number] for name, cells in table.columns.items()}, where)
        gap = gap_in(row.text, row.pronoun, row.candidates, where)
        if gap is not None:
            yield row, gap


def pronoun_part(file: RawFile) -> Part:
    """Read a table of pronoun problems as multiple choice, with the candidates as options.

    Rows whose pronoun occurs several times are left out; a warning counts them.

    Raises:
        BadInput: the file is not such a table, or every row is left out.
    """
    table = read_table(file)
    read = list(gaps_of(table))
    if not read:
        mend = "write [MASK] in its place, in the text and in the column of pronouns"
        raise BadInput("no row has its pronoun exactly once", where=file.path, mend=mend)
    labels = np.array([row.answer for row, _ in read], dtype=np.int64)
    return Part(gap_examples([gap for _, gap in read]), labels, (origin(file, len(read)),), _notes(table, len(read)))


def gap_examples(gaps: list[PronounGap]) -> Examples:
    """Return texts with gaps as examples of multiple choice.

    The first text of an example is the text before the gap, the second the text after it; candidates are the options.
    """
    before, after = tuple(gap.before for gap in gaps), tuple(gap.after for gap in gaps)
    return Examples(before, after, options=tuple(gap.candidates for gap in gaps))


def _notes(table: TextTable, used: int) -> tuple[Finding, ...]:
    left_out = len(table) - used
    if not left_out:
        return table.notes
    text = f"{count_of(left_out, 'row')} left out whose pronoun stands more than once, so that its place is not known."
    return (*table.notes, Finding("warning.pronoun_places", text, {"rows": left_out}))


def _with_article(candidate: str, text: str) -> str:
    """Return a candidate with "the" before it if it begins in lower case and the text mentions it with "the"."""
    mention = re.search(rf"\bthe {re.escape(candidate)}(?!\w)", text, re.IGNORECASE)
    return f"the {candidate}" if mention and candidate[:1].islower() else candidate


def _spans(text: str, pronoun: str) -> list[tuple[int, int]]:
    """Return each occurrence of a pronoun as a whole word, as (first character, past-the-last character)."""
    if not pronoun:
        return []
    left, right = (r"(?<!\w)" if pronoun[0].isalnum() else ""), (r"(?!\w)" if pronoun[-1].isalnum() else "")
    return [match.span() for match in re.finditer(left + re.escape(pronoun) + right, text)]


def _cased(candidate: str, *, begins: bool) -> str:
    if begins:
        return candidate[:1].upper() + candidate[1:]
    return candidate[:1].lower() + candidate[1:] if _ARTICLE.match(candidate) else candidate
