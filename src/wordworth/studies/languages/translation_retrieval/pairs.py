"""Pairs of texts that are translations of each other, by language, divided into training and test pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.studies.languages.language_columns import (
    ITEMS,
    language_column,
    language_names,
    require_filled,
    require_several,
    rows_in,
)
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.tasks.examples import Origin
from wordworth.tasks.reading.infer_columns import chosen_by_header, unknown_texts
from wordworth.tasks.reading.read_task import require_readable
from wordworth.tasks.usual_columns import LABELS, TEXTS, usual_column
from wordworth.text.file_formats.table import TextTable

TRANSLATIONS = ("translation", "translated", "english")
LEAST = 20
"""Fewest pairs of a language: half of them choose the layer, the others measure it."""


@dataclass(frozen=True)
class TranslationPairs:
    """n pairs of a text in the source language and its translation into another language.

    Attributes:
        source_texts: the n texts in the source language.
        texts: their translations.
        language: int64 [n], language of each translation, an index into `languages`.
        languages: names of the languages of the translations.
        source: name of the source language.
        item: int64 [n], the index of the source text among the different source texts; pairs of the same source text
            with translations into several languages share it.
        test: bool [n], True for test pairs; all pairs of an item are in the same part.
        origin: the file that was read.
        notes: findings about how the file was read.
    """

    source_texts: tuple[str, ...]
    texts: tuple[str, ...]
    language: Integers
    languages: tuple[str, ...]
    source: str
    item: Integers
    test: Flags
    origin: Origin
    notes: tuple[Finding, ...]

    def rows(self, language: int) -> Integers:
        """Return the indices of the pairs whose translation is in a language, int64 [n].

        Args:
            language: index of the language in `languages`.
        """
        return np.flatnonzero(self.language == language)

    def both_sides(self, language: int) -> tuple[list[str], list[str]]:
        """Return the texts of a language's pairs as two lists: the source texts, and their translations."""
        rows = self.rows(language)
        return [self.source_texts[row] for row in rows], [self.texts[row] for row in rows]

    def training(self, language: int) -> Integers:
        """Return the positions of the training pairs among a language's pairs, int64 [n].

        Args:
            language: index of the language in `languages`.
        """
        return np.flatnonzero(~self.test[self.rows(language)])


class _Pair(NamedTuple):
    """A text in the source language, its translation, and the language of the translation."""

    source: str
    text: str
    language: str


def holds_translations(table: TextTable, settings: LanguagesSettings) -> bool:
    """Return True if a table is to be read as pairs of translations.

    Such a table has no labels, and either a column of translations, or a column of items (a value that is the same for
    texts that are translations of each other).
    """
    if settings.translation is not None or settings.label is not None:
        return settings.label is None
    others = [name for name in table.columns if name not in (settings.text, settings.language, settings.item)]
    if usual_column(others, LABELS) is not None:
        return False
    return settings.item is not None or usual_column(others, (*TRANSLATIONS, *ITEMS)) is not None


def read_pairs(table: TextTable, settings: LanguagesSettings) -> TranslationPairs:
    """Read pairs of translations, from a column of translations or from rows that share an item.

    At most `limit` pairs of each language are drawn; the items are divided into training and test pairs at random.

    Args:
        table: the rows of the file.
        settings: settings of the study.

    Raises:
        BadInput: a column is missing or empty in a row, or a language has fewer than `LEAST` pairs, or no training or
            test pair.
    """
    columns = _columns(table, settings)
    table = rows_in(table, columns["language"], settings.languages)
    require_filled(table, columns["language"], {role: name for role, name in columns.items() if role != "language"})
    read = _rows_with_translations if "translation" in columns else _rows_with_items
    source, pairs = read(table, columns, settings)
    counts = Counter(pair.language for pair in pairs)
    few = next((name for name, number in counts.items() if number < LEAST), None)
    if few is not None or not counts:
        what = f"{count_of(counts[few], 'translation')} in {few!r} cannot be halved and measured" if few else "no pairs"
        mend = f"give {LEAST} or more, or leave the language out with --languages"
        raise BadInput(what, where=table.path, mend=mend)
    languages = tuple(counts)
    _, item = np.unique([pair.source for pair in pairs], return_inverse=True)
    whole = TranslationPairs(
        source_texts=tuple(pair.source for pair in pairs),
        texts=tuple(pair.text for pair in pairs),
        language=np.array([languages.index(pair.language) for pair in pairs]),
        languages=languages,
        source=source,
        item=item,
        test=np.zeros(len(pairs), dtype=bool),
        origin=Origin(table.path, table.sha256, len(table)),
        notes=(*_column_note(columns, settings), *table.notes),
    )
    require_readable(table.columns[columns["text"]], table.where)
    divided = _divided(whole, settings)
    _require_both_parts(divided)
    return divided


def _columns(table: TextTable, settings: LanguagesSettings) -> dict[str, str]:
    """Return role -> column: `text`, `language`, and `translation` or `item`; named by the user, else usual names."""
    for role in ("text", "language", "item", "translation"):
        if getattr(settings, role) is not None:
            table.column(getattr(settings, role), role)
    language = language_column(table, settings.language)
    joining = (settings.translation, settings.item)
    text = settings.text or usual_column([name for name in table.columns if name not in (language, *joining)], TEXTS)
    if text is None:
        raise unknown_texts(table)
    others = [name for name in table.columns if name not in (text, language)]
    translation = settings.translation or (None if settings.item else usual_column(others, TRANSLATIONS))
    last = ("translation", translation) if translation else ("item", settings.item or usual_column(others, ITEMS))
    columns = {"text": text, "language": language, last[0]: str(last[1])}
    if len(set(columns.values())) < len(columns):
        mend = "name different columns with --text, --translation, --item and --language"
        raise BadInput("a column cannot serve twice", where=table.path, mend=mend)
    return columns


def _rows_with_translations(
    table: TextTable, columns: Mapping[str, str], settings: LanguagesSettings
) -> tuple[str, list[_Pair]]:
    """Return the name of the source language and the pair of each row, from a column of translations."""
    cells = (table.columns[columns[role]] for role in ("translation", "text", "language"))
    return settings.source or columns["translation"], list(map(_Pair, *cells))


def _rows_with_items(
    table: TextTable, columns: Mapping[str, str], settings: LanguagesSettings
) -> tuple[str, list[_Pair]]:
    """Return the name of the source language, and pairs of a source text and its translation (of the same item)."""
    require_several(settings.languages)
    texts, languages, items = (table.columns[columns[role]] for role in ("text", "language", "item"))
    source = language_names(languages, settings.source, table.path)[0]
    by_item = dict[tuple[str, str], str]()
    for row, key in enumerate(zip(languages, items, strict=True)):
        if key in by_item:
            mend = "give each text of a language an item of its own"
            raise BadInput(f"{key[0]!r} has two texts of the item {key[1]!r}", where=table.where(row), mend=mend)
        by_item[key] = texts[row]
    pairs = [
        _Pair(by_item[source, item], text, language)
        for (language, item), text in by_item.items()
        if language != source and (source, item) in by_item
    ]
    if not pairs:
        what = f"no text in {source!r} shares its item with a text of another language"
        raise BadInput(what, where=table.path, mend="name the column of items with --item, or another --source")
    return source, pairs


def _divided(whole: TranslationPairs, settings: LanguagesSettings) -> TranslationPairs:
    """Return at most `limit` pairs of each language, drawn at random, with a share of their items marked as test."""
    rng = seeds.child(settings.seed, "languages", "pairs")
    rank = rng.permutation(int(whole.item.max()) + 1)[whole.item]
    rows = np.sort(
        np.concatenate(
            [
                own[np.argsort(rank[own], kind="stable")][: settings.limit]
                for own in (whole.rows(number) for number in range(len(whole.languages)))
            ]
        )
    )
    _, item = np.unique(rank[rows], return_inverse=True)
    test = np.diff(np.floor(np.arange(int(item.max()) + 2) * settings.test)) > 0
    return replace(
        whole,
        source_texts=tuple(whole.source_texts[row] for row in rows),
        texts=tuple(whole.texts[row] for row in rows),
        language=whole.language[rows],
        item=item,
        test=rng.permutation(test)[item],
    )


def _require_both_parts(pairs: TranslationPairs) -> None:
    """Raise BadInput for a language without a training or a test pair: too few of its source texts differ."""
    for number, language in enumerate(pairs.languages):
        test = pairs.test[pairs.rows(number)]
        if test.all() or not test.any():
            part = "learn from" if test.all() else "test on"
            count = count_of(len(set(pairs.both_sides(number)[0])), "different text")
            what = f"no translation in {language!r} is left to {part}: its pairs have {count} in {pairs.source!r}"
            mend = "give more different texts, another share with --test, or leave the language out with --languages"
            raise BadInput(what, where=pairs.origin.path, mend=mend)


def _column_note(columns: Mapping[str, str], settings: LanguagesSettings) -> tuple[Finding, ...]:
    roles = {
        "text": "text",
        "language": "language",
        "translation": "translation into the source language",
        "item": "item that translations share",
    }
    return chosen_by_header({role: name for role, name in columns.items() if getattr(settings, role) is None}, roles)
