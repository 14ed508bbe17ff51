"""Tagged sentences in several languages, from a folder with files of each language or from a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.chunk_f1 import scheme
from wordworth.measures.weighted_sums import Integers
from wordworth.studies.languages.language_columns import (
    LANGUAGES,
    language_column,
    language_names,
    require_several,
    rows_in,
)
from wordworth.studies.languages.language_files import FileKind, divided, files_by_language
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.tasks.examples import Examples, Origin
from wordworth.tasks.labels import in_order
from wordworth.tasks.reading.infer_columns import TaskColumns
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task_types.tagging import TAGGING, is_scheme
from wordworth.tasks.usual_columns import usual_column
from wordworth.text.file_formats.conll import CONLL
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

WORDS, TAGS = ("words", "tokens"), ("tags", "ner_tags", "pos_tags")
TAGGED = FileKind(CONLL.suffixes, "tagged sentences", "en.conll and de.conll")


@dataclass(frozen=True, slots=True)
class Sentences:
    """n sentences whose words are tagged.

    Attributes:
        words: the words of each sentence.
        tags: for each sentence int64 [its words], indices into `TaggedLanguages.classes`.
        documents: int64 [n], a number that the sentences of a document share; if the data mark no documents, each
            sentence has a number of its own.
    """

    words: tuple[tuple[str, ...], ...]
    tags: tuple[Integers, ...]
    documents: Integers

    def __len__(self) -> int:
        return len(self.words)

    def take(self, rows: Integers) -> Sentences:
        """Return the sentences with given indices.

        Args:
            rows: int64 [n], the indices.
        """
        return Sentences(
            tuple(self.words[row] for row in rows), tuple(self.tags[row] for row in rows), self.documents[rows]
        )

    @property
    def lengths(self) -> Integers:
        """The number of words of each sentence, int64 [n]."""
        return np.array([len(words) for words in self.words], dtype=np.int64)

    @property
    def examples(self) -> Examples:
        """The sentences as the inputs of a task."""
        return Examples(tuple(map(" ".join, self.words)), words=self.words)


@dataclass(frozen=True)
class TaggedLanguages:
    """Tagged sentences in several languages.

    Attributes:
        languages: names of the languages, the source language first.
        classes: names of the tags; entity tags are in IOB2, `O` first.
        metric: `entity_f1` where tags mark entities, else `token_accuracy`.
        train: the training sentences of each language.
        test: the test sentences of each language.
        origins: the files that were read.
    """

    languages: tuple[str, ...]
    classes: tuple[str, ...]
    metric: str
    train: tuple[Sentences, ...]
    test: tuple[Sentences, ...]
    origins: tuple[Origin, ...]

    def part(self, language: int, *, test: bool) -> Sentences:
        """Return the test or training sentences of a language.

        Args:
            language: index of the language.
            test: True for the test sentences, False for the training sentences.
        """
        return (self.test if test else self.train)[language]


def is_tagged(table: TextTable) -> bool:
    """Return True if a table has columns of words, of tags and of languages."""
    return all(usual_column(table.columns, names) is not None for names in (WORDS, TAGS, LANGUAGES))


def tables_in(folders: Sequence[Path], wanted: Sequence[str] = ()) -> dict[str, dict[str, TextTable]]:
    """Read folders of tagged files: name of each language -> part (`train`, `test`, or "" for both) -> its rows.

    Args:
        folders: the folders with CoNLL files, named as `files_by_language` describes.
        wanted: the languages to read; all if empty.

    Raises:
        BadInput: there are tagged files of fewer than two languages, a language has several files of a part, or a file
            cannot be read.
    """
    files = files_by_language(folders, TAGGED, wanted)
    return {name: {part: read_rows(path) for part, path in parts.items()} for name, parts in files.items()}


def tables_by_language(table: TextTable, settings: LanguagesSettings) -> dict[str, dict[str, TextTable]]:
    """Split a table by language; return name of each language -> {"": rows of the language}.

    `tables_in` returns the same form, with the empty key for rows that are not divided into parts.
    """
    column = language_column(table, settings.language)
    names = language_names(table.columns[column], settings.source, table.path)
    wanted = [name for name in names if not settings.languages or name in settings.languages]
    return {name: {"": rows_in(table, column, (name,))} for name in wanted}


def tagged_languages(tables: Mapping[str, Mapping[str, TextTable]], settings: LanguagesSettings) -> TaggedLanguages:
    """Read the tags of several languages, and draw each language's training and test sentences with `divided`.

    Args:
        tables: name of each language -> part (`train`, `test`, or "" for one table that holds both) -> its rows.
        settings: settings of the study.

    Raises:
        BadInput: tags cannot be read, or a language has too few sentences, or no entity of a type that another language
            has.
    """
    require_several(settings.languages)
    where = next(iter(next(iter(tables.values())).values())).path
    cells = [name for name, parts in tables.items() for table in parts.values() for _ in range(max(len(table), 1))]
    languages = language_names(cells, settings.source, str(Path(where).parent))
    read = {name: _read(name, tables[name], settings) for name in languages}
    types = {name: _types(each.classes) for name, each in read.items()}
    for name in languages[1:]:
        differing = sorted(types[name] ^ types[languages[0]])
        if differing:
            having, lacking = (name, languages[0]) if differing[0] in types[name] else (languages[0], name)
            what = f"{lacking!r} has no entity of the type {differing[0]!r}, which {having!r} has"
            mend = "tag them alike, or leave the language out with --languages"
            raise BadInput(what, where=next(iter(tables[lacking].values())).path, mend=mend)
    return _joined(languages, read, tables)


class _Language(NamedTuple):
    """The sentences of a language, whose tags are indices into the language's own list of classes."""

    classes: tuple[str, ...]
    train: Sentences
    test: Sentences


def _joined(
    languages: tuple[str, ...],
    read: Mapping[str, _Language],
    tables: Mapping[str, Mapping[str, TextTable]],
) -> TaggedLanguages:
    """Join the languages, and renumber their tags as indices into one list of classes for all languages."""
    names = {tag for each in read.values() for tag in each.classes}
    first = read[languages[0]].classes
    classes = first if names == set(first) else in_order(names)
    number = {tag: index for index, tag in enumerate(classes)}
    train, test = list[Sentences](), list[Sentences]()
    for each in (read[name] for name in languages):
        train.append(_renumbered(each.train, each.classes, number))
        test.append(_renumbered(each.test, each.classes, number))
    tables_read = {table.sha256: table for name in languages for table in tables[name].values()}
    origins = tuple(Origin(table.path, table.sha256, table.rows_in_file) for table in tables_read.values())
    metric = "entity_f1" if is_scheme(classes) else "token_accuracy"
    return TaggedLanguages(languages, classes, metric, tuple(train), tuple(test), origins)


def _types(classes: Sequence[str]) -> set[str]:
    return set(scheme(classes).types) if is_scheme(classes) else set()


def _read(name: str, parts: Mapping[str, TextTable], settings: LanguagesSettings) -> _Language:
    """Return the classes (names of tags) of a language, and its training and test sentences, drawn with `divided`."""
    tables = tuple(parts.values())
    words, tags = (
        settings.text or _column(tables[0], WORDS, "words"),
        settings.label or _column(tables[0], TAGS, "tags"),
    )
    columns = TaskColumns(words, (tags,))
    rows = LabelledRows(tables, columns)
    labelled, examples = TAGGING.read(rows), TAGGING.examples(rows)
    documents = examples.documents or range(len(rows))
    whole = Sentences(examples.words or (), tuple(labelled.labels), np.asarray(documents, dtype=np.int64))
    sizes = {part: len(table) for part, table in parts.items()}
    train, test = divided(name, sizes, settings, tables[0].path)
    return _Language(labelled.classes, whole.take(train), whole.take(test))


def _column(table: TextTable, names: Sequence[str], role: str) -> str:
    column = usual_column(table.columns, names)
    if column is None:
        raise BadInput(f"no column of {role}", where=table.path, mend=f"name it {names[0]!r}")
    return column


def _renumbered(sentences: Sentences, classes: Sequence[str], number: Mapping[str, int]) -> Sentences:
    table = np.array([number[tag] for tag in classes], dtype=np.int64)
    return Sentences(sentences.words, tuple(table[tags] for tags in sentences.tags), sentences.documents)
