"""Treebanks in several languages, from a folder with CoNLL-U files of each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.studies.languages.language_columns import language_names, require_several
from wordworth.studies.languages.language_files import FileKind, divided, files_by_language
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.tasks.examples import Origin
from wordworth.text.treebank import DependencySentence, Treebank, read_treebank

TREEBANKS = FileKind((".conllu",), "treebanks", "en_pud.conllu and de_pud.conllu")


@dataclass(frozen=True)
class ParsedLanguages:
    """Sentences with dependency trees in several languages.

    Attributes:
        languages: names of the languages, the source language first.
        relations: names of the relations of all languages, without subtypes, sorted.
        train: the training sentences of each language.
        test: the test sentences of each language.
        origins: the files that were read.
    """

    languages: tuple[str, ...]
    relations: tuple[str, ...]
    train: tuple[tuple[DependencySentence, ...], ...]
    test: tuple[tuple[DependencySentence, ...], ...]
    origins: tuple[Origin, ...]

    def part(self, language: int, *, test: bool) -> tuple[DependencySentence, ...]:
        """Return the test sentences of a language if `test` is True, else its training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences.
        """
        return (self.test if test else self.train)[language]


def treebanks_in(folder: Path, wanted: Sequence[str] = ()) -> dict[str, dict[str, Treebank]]:
    """Read a folder of treebanks: name of each language -> part (`train`, `test`, or "" for both) -> the treebank.

    Args:
        folder: a folder with CoNLL-U files, named as `files_by_language` describes.
        wanted: the languages to read; all if empty.

    Raises:
        BadInput: there are treebanks of fewer than two languages, a language has several files of a part, or a treebank
            is damaged.
    """
    files = files_by_language([folder], TREEBANKS, wanted)
    return {name: {part: read_treebank(path) for part, path in parts.items()} for name, parts in files.items()}


def parsed_languages(
    treebanks: Mapping[str, Mapping[str, Treebank]], settings: LanguagesSettings, folder: Path
) -> ParsedLanguages:
    """Draw the training and test sentences of each language with `divided`, and collect the names of the relations.

    Args:
        treebanks: name of each language -> part (`train`, `test`, or "" for both) -> the treebank.
        settings: settings of the study.
        folder: the folder, for errors.

    Raises:
        BadInput: the user asks for a single language, the source language has no treebank, or a language has too few
            sentences.
    """
    require_several(settings.languages)
    cells = [name for name, parts in treebanks.items() for each in parts.values() for _ in each.sentences]
    languages = language_names(cells, settings.source, str(folder))
    train, test = list[tuple[DependencySentence, ...]](), list[tuple[DependencySentence, ...]]()
    for name in languages:
        parts = treebanks[name]
        sentences = [sentence for each in parts.values() for sentence in each.sentences]
        sizes = {part: len(each.sentences) for part, each in parts.items()}
        where = str(folder / next(iter(parts.values())).name)
        of_train, of_test = divided(name, sizes, settings, where)
        train.append(tuple(sentences[row] for row in of_train))
        test.append(tuple(sentences[row] for row in of_test))
    relations = {name for part in (*train, *test) for each in part for name in each.universal_relations}
    read = [each for name in languages for each in treebanks[name].values()]
    origins = tuple(Origin(each.name, each.sha256, len(each.sentences)) for each in read)
    return ParsedLanguages(languages, tuple(sorted(relations)), tuple(train), tuple(test), origins)
