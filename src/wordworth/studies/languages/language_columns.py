"""The column of languages: find it, take the rows of some languages, and check that no cell or language is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from wordworth.errors import BadInput, nearest
from wordworth.sentence_formatting import count_of, some_of
from wordworth.tasks.reading.infer_columns import column_names
from wordworth.tasks.usual_columns import IDS, usual_column
from wordworth.text.file_formats.table import TextTable

LANGUAGES = ("language", "lang", "locale", "language_code", "lang_code", "iso")
ITEMS = ("item", *IDS)
LEAST = 10
_ENGLISH = re.compile(r"(en|eng|english)([-_.].*)?", re.IGNORECASE)
"""Names of English, with or without a script, a country or a corpus behind it: `en`, `eng_Latn`, `en-GB`, `en_pud`."""


def language_column(table: TextTable, named: str | None) -> str:
    """Return the name of the column of languages: the one that the user named, else the first with a usual name.

    Raises:
        BadInput: no column has a usual name.
    """
    column = named or usual_column(table.columns, LANGUAGES)
    if column is None:
        what = f"which column says the language of a text? there is {column_names(table)}"
        raise BadInput(what, where=table.path, mend="name it with --language, or add such a column")
    return column


def rows_in(table: TextTable, column: str, wanted: Sequence[str]) -> TextTable:
    """Return the rows of a table in the wanted languages, or all rows if no languages are given.

    Args:
        table: the table.
        column: name of the column of languages.
        wanted: names of the languages to keep; empty for all.

    Raises:
        BadInput: a wanted language has no row.
    """
    if not wanted:
        return table
    cells = table.columns[column]
    for name in wanted:
        if name not in cells:
            raise BadInput(f"no text in {name!r}", where=table.path, mend=nearest(name, dict.fromkeys(cells)))
    return table.without({row for row, cell in enumerate(cells) if cell not in wanted})


def require_several(wanted: Sequence[str]) -> None:
    """Raise BadInput if the user asks for a single language, as the study compares languages."""
    if len(set(wanted)) == 1:
        raise BadInput("one language cannot be compared with another", where="--languages", mend="name several")


def require_filled(table: TextTable, language: str, columns: Mapping[str, str]) -> None:
    """Raise BadInput for rows without a language, or with an empty cell in another column.

    Args:
        table: the rows.
        language: name of the column of languages.
        columns: role of a column, such as `text` -> name of the column, for the other columns that must be filled.
    """
    languages = table.columns[language]
    for role, column in {"language": language, **columns}.items():
        missing = [row for row, cell in enumerate(table.columns[column]) if not cell.strip()]
        if missing:
            lacking = {languages[row] for row in missing} - {
                languages[row] for row in set(range(len(table))) - set(missing)
            }
            what = (
                f"{some_of(len(missing), len(table), 'rows has', 'rows have')} no {role} ({table.locations(missing)})"
            )
            if role == "text" and lacking:
                what = f"the language {min(lacking)!r} has no text ({table.locations(missing)})"
            raise BadInput(what, where=table.path, mend="fill them in, or remove such rows")


def language_names(cells: Sequence[str], source: str | None, path: str) -> tuple[str, ...]:
    """Return the names of the languages, the source language first.

    Args:
        cells: the language of each row.
        source: the source language; None for English, or for the first language if no row is English.
        path: the file, for errors.

    Raises:
        BadInput: there is only one language, a language has fewer than `LEAST` rows, or no row is in the source
            language.
    """
    counts = Counter(cells)
    if len(counts) == 1:
        mend = "give texts in several languages, each with its language"
        raise BadInput(f"every text is in {next(iter(counts))!r}", where=path, mend=mend)
    few = next((name for name, number in counts.items() if number < LEAST), None)
    if few is not None:
        mend = f"give {LEAST} or more, or leave it out with --languages"
        raise BadInput(
            f"{count_of(counts[few], 'text')} in {few!r} cannot be halved and measured", where=path, mend=mend
        )
    source = source or next((name for name in counts if _ENGLISH.fullmatch(name)), next(iter(counts)))
    if source not in counts:
        raise BadInput(f"no text in {source!r}", where="--source", mend=nearest(source, counts))
    return (source, *(name for name in counts if name != source))
