"""Labelled texts in several languages, divided into training and test texts; translations stay in the same part."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.records import Finding
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
from wordworth.tasks.reading.infer_columns import chosen_by_header, column_names, unknown_texts
from wordworth.tasks.reading.read_task import require_readable
from wordworth.tasks.usual_columns import LABELS, TEXTS, usual_column
from wordworth.text.file_formats.table import TextTable


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns that are read from the file of texts.

    Texts that are translations of each other have the same value in the column `item`, which is None if the file has no
    such column.
    """

    text: str
    label: str
    language: str
    item: str | None


@dataclass(frozen=True)
class LanguageTexts:
    """Labelled texts in several languages, divided into training and test texts.

    Texts that are translations of each other form one item.

    Attributes:
        texts: the n texts.
        labels: int64 [n], indices into `classes`.
        classes: names of the labels, sorted.
        language: int64 [n], indices into `languages`.
        languages: names of the languages, the source language first.
        item: int64 [n], index of each text's item, from 0 to `num_items` - 1.
        test: bool [n], True for test texts; all texts of an item are in the same part.
        columns: names of the columns that were read.
        origin: the file that was read.
        notes: findings about how the file was read.
    """

    texts: tuple[str, ...]
    labels: Integers
    classes: tuple[str, ...]
    language: Integers
    languages: tuple[str, ...]
    item: Integers
    test: Flags
    columns: Columns
    origin: Origin
    notes: tuple[Finding, ...]

    def rows(self, language: int, *, test: bool | None = None) -> Integers:
        """Return the indices of a language's texts in `texts`, int64 [m], in ascending order of their items.

        Args:
            language: index of the language in `languages`.
            test: True for the test texts alone, False for the training texts alone, None for both.
        """
        own = self.language == language
        own &= True if test is None else self.test == test
        rows = np.flatnonzero(own)
        return rows[np.argsort(self.item[rows], kind="stable")]

    def translations(self, language: int) -> tuple[Integers, Integers]:
        """Return two arrays of indices into `texts`, int64 [m] each: source texts, and their translations.

        Each source text is at the same position as its translation. Source texts without a translation are left out.

        Args:
            language: index of the language in `languages`.
        """
        source, other = self.rows(0), self.rows(language)
        _, first, second = np.intersect1d(self.item[source], self.item[other], return_indices=True)
        return source[first], other[second]

    def of(self, rows: Integers) -> list[str]:
        """Return the texts with the given indices.

        Args:
            rows: int64 [m], indices into `texts`.
        """
        return [self.texts[row] for row in rows]

    @cached_property
    def num_items(self) -> int:
        """The number of different items; texts that are translations of each other are one item."""
        return int(self.item.max()) + 1


def read_texts(table: TextTable, settings: LanguagesSettings) -> LanguageTexts:
    """Read labelled texts in several languages, and divide them into training and test texts.

    Of each language, at most as many texts as the setting `limit` says are drawn.

    Args:
        table: the rows of the file of texts.
        settings: settings of the study.

    Raises:
        BadInput: a column is missing, rows lack a text, label or language, there is one language alone, or the
            training texts of a language lack one of the labels.
    """
    require_several(settings.languages)
    columns = _columns(table, settings)
    table = rows_in(table, columns.language, settings.languages)
    require_filled(table, columns.language, {"text": columns.text, "label": columns.label})
    languages = language_names(table.columns[columns.language], settings.source, table.path)
    columns, item = _items(table, columns, named=settings.item is not None)
    classes = tuple(sorted(set(table.columns[columns.label])))
    if len(classes) < 2:  # noqa: PLR2004 - a choice
        raise BadInput(
            f"every text has the label {classes[0]!r}", where=table.path, mend="name another column with --label"
        )
    whole = LanguageTexts(
        texts=tuple(table.columns[columns.text]),
        labels=np.array([classes.index(cell) for cell in table.columns[columns.label]]),
        classes=classes,
        language=np.array([languages.index(cell) for cell in table.columns[columns.language]]),
        languages=languages,
        item=item,
        test=np.zeros(len(table), dtype=bool),
        columns=columns,
        origin=Origin(table.path, table.sha256, len(table)),
        notes=(*_column_note(columns, settings), *table.notes),
    )
    require_readable(whole.texts, table.where)
    sample = _halved(_drawn(whole, settings), settings.test)
    _require_labels(sample)
    return sample


def _columns(table: TextTable, settings: LanguagesSettings) -> Columns:
    """Return the columns that the user named, else those with a usual name."""
    for role in ("text", "label", "language", "item"):
        if getattr(settings, role) is not None:
            table.column(getattr(settings, role), role)
    text = settings.text or usual_column(table.columns, TEXTS)
    if text is None:
        raise unknown_texts(table)
    language = language_column(table, settings.language)
    label = settings.label or usual_column([name for name in table.columns if name not in (text, language)], LABELS)
    if label is None:
        what = f"which column holds the labels? there is {column_names(table)}"
        raise BadInput(what, where=table.path, mend="name it with --label")
    used = (text, label, language)
    item = settings.item or usual_column([name for name in table.columns if name not in used], ITEMS)
    if len({*used, item}) < len(used) + 1:
        mend = "name different columns with --text, --label, --language and --item"
        raise BadInput("a column cannot serve twice", where=table.path, mend=mend)
    return Columns(text, label, language, item)


def _items(table: TextTable, columns: Columns, *, named: bool) -> tuple[Columns, Integers]:
    """Return the columns, and the index of each row's item, int64 [rows].

    If the column of items was guessed and cannot be one (a language has two texts of an item, texts of an item differ
    in their labels, or no item has two texts), the returned columns have the item None. Without a column of items,
    each row is an item of its own.

    Args:
        table: the rows of the file of texts.
        columns: the columns to read.
        named: whether the user named the column of items. Then texts of an item may differ in their labels.

    Raises:
        BadInput: the user named a column in which a language has two texts of an item, or no item has two texts.
    """
    alone: Integers = np.arange(len(table))
    if columns.item is None:
        return columns, alone
    cells = table.columns[columns.item]
    languages, labels = table.columns[columns.language], table.columns[columns.label]
    twice = next((key for key, number in Counter(zip(languages, cells, strict=True)).items() if number > 1), None)
    labelled = dict(zip(cells, labels, strict=True))
    agree = all(labelled[cell] == label for cell, label in zip(cells, labels, strict=True))
    if named and twice is not None:
        mend = "give each text of a language an item of its own, or leave the column out"
        raise BadInput(f"{twice[0]!r} has two texts of the item {twice[1]!r}", where=table.path, mend=mend)
    if named and len(labelled) == len(table):
        mend = "give translations of each other the same item, name another column, or leave it out"
        raise BadInput(f"no two texts share an item in column {columns.item!r}", where=table.path, mend=mend)
    if not named and (twice is not None or not agree or len(labelled) == len(table)):
        return replace(columns, item=None), alone
    numbers = {cell: number for number, cell in enumerate(labelled)}
    return columns, np.array([numbers[cell] for cell in cells])


def _drawn(whole: LanguageTexts, settings: LanguagesSettings) -> LanguageTexts:
    """Return at most `limit` texts of each language, drawn at random; items get new indices, in random order."""
    rank = seeds.child(settings.seed, "languages", "items").permutation(whole.num_items)[whole.item]
    by_language = [np.flatnonzero(whole.language == language) for language in range(len(whole.languages))]
    rows = np.sort(np.concatenate([own[np.argsort(rank[own])][: settings.limit] for own in by_language]))
    _, item = np.unique(rank[rows], return_inverse=True)
    return replace(
        whole,
        texts=tuple(whole.of(rows)),
        labels=whole.labels[rows],
        language=whole.language[rows],
        item=item,
        test=whole.test[rows],
    )


def _halved(sample: LanguageTexts, share: float) -> LanguageTexts:
    """Return the texts with about this share of the items marked as test.

    Items are stratified by the label and the language of their first text.
    """
    _, first = np.unique(sample.item, return_index=True)
    strata = sample.language[first] * len(sample.classes) + sample.labels[first]
    tests = np.zeros(len(first), dtype=bool)
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        steps = np.floor(np.arange(len(members) + 1) * share)
        tests[members] = np.diff(steps) > 0
    return replace(sample, test=tests[sample.item])


def _require_labels(sample: LanguageTexts) -> None:
    """Raise BadInput for a language without test texts, or whose training texts lack a label."""
    for number, language in enumerate(sample.languages):
        there = set(sample.labels[sample.rows(number, test=False)].tolist())
        lacking = [label for index, label in enumerate(sample.classes) if index not in there]
        if lacking:
            what = f"among the texts in {language!r} that are learned from, none has the label {lacking[0]!r}"
            mend = "give more of them, leave the language out with --languages, or remove the label from all languages"
            raise BadInput(what, where=sample.origin.path, mend=mend)
        if not sample.rows(number, test=True).size:
            what = f"no text in {language!r} is left to test on"
            raise BadInput(what, where=sample.origin.path, mend="give more of them, or a greater share with --test")


def _column_note(columns: Columns, settings: LanguagesSettings) -> tuple[Finding, ...]:
    roles = {"text": "text", "label": "label", "language": "language", "item": "item that translations share"}
    guessed = {
        role: getattr(columns, role) for role in roles if getattr(columns, role) and getattr(settings, role) is None
    }
    return chosen_by_header(guessed, roles)
