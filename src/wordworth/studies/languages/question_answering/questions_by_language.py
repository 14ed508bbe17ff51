"""The same questions with their contexts in several languages, from a folder with a SQuAD file of each language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Integers
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.studies.languages.language_columns import LEAST, language_names, require_several
from wordworth.studies.languages.language_files import FileKind, files_by_language
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.tasks.examples import Examples, Labels, Origin
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.squad import read_questions
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.word_boundaries import words

QUESTIONS = FileKind((".json",), "questions", "xquad.en.json and xquad.de.json", prefixed=True)


@dataclass(frozen=True, slots=True)
class Questions:
    """n questions on contexts that answer them.

    Attributes:
        examples: the questions (`first`), their contexts (`second`) and their ids.
        answers: object [n], the gold answers of each question.
        contexts: int64 [n], a number that identifies each question's context; translations of a context share it.
    """

    examples: Examples
    answers: Labels
    contexts: Integers

    def __len__(self) -> int:
        return len(self.examples)

    @property
    def context_texts(self) -> tuple[str, ...]:
        """The context of each question."""
        return self.examples.second or ()


@dataclass(frozen=True)
class AskedLanguages:
    """The same questions in several languages.

    Attributes:
        languages: names of the languages, the source language first.
        train: the training questions of each language; all languages have the same questions in the same order.
        test: the test questions of each language, likewise; no context is in both `train` and `test`.
        origins: the files that were read.
        notes: findings about how the files were read.
    """

    languages: tuple[str, ...]
    train: tuple[Questions, ...]
    test: tuple[Questions, ...]
    origins: tuple[Origin, ...]
    notes: tuple[Finding, ...] = ()

    def part(self, language: int, *, test: bool) -> Questions:
        """Return the test questions of a language if `test` is True, else its training questions.

        Args:
            language: index of the language.
            test: True for the test questions.
        """
        return (self.test if test else self.train)[language]


def asked_languages(folder: Path, settings: LanguagesSettings) -> AskedLanguages:
    """Read the questions of all languages, and divide them by their contexts into training and test questions.

    The first contexts are learned from and the last ones tested on, so that the contexts of an article, which follow
    each other, stay together. The setting `test` is the share of contexts in the test part. Contexts of each part are
    drawn at random until their questions are as many as the part's share of the setting `limit`.

    Args:
        folder: a folder with a SQuAD file for each language, such as `xquad.de.json`.
        settings: settings of the study.

    Raises:
        BadInput: a file is not in SQuAD's form, languages have different questions, a question has no text or answer,
            or there are too few contexts.
    """
    require_several(settings.languages)
    parts = _read(folder, settings)
    cells = [name for name, part in parts.items() for _ in range(len(part))]
    languages = language_names(cells, settings.source, str(folder))
    source = parts[languages[0]]
    contexts = _context_numbers(source.examples.second or ())
    rows = {name: _parallel_rows(name, parts[name], (languages[0], source)) for name in languages}
    train, test = _divided(contexts, settings, str(folder))
    sides = [[_questions(parts[name], rows[name], contexts, side) for name in languages] for side in (train, test)]
    for name, learned, tested in zip(languages, *sides, strict=True):
        if not set(learned.context_texts).isdisjoint(tested.context_texts):
            what = f"one context of {name!r} stands for two contexts of {languages[0]!r}"
            raise BadInput(what, where=_path(parts[name]), mend="translate every context by itself")
    origins = tuple(origin for name in languages for origin in parts[name].origins)
    notes = tuple(
        replace(note, name=f"{note.name}.{name}", text=f"{name}: {note.text}")
        for name in languages
        for note in parts[name].notes
    )
    return AskedLanguages(languages, tuple(sides[0]), tuple(sides[1]), origins, notes)


def _read(folder: Path, settings: LanguagesSettings) -> dict[str, Part]:
    parts = {}
    for name, files in files_by_language([folder], QUESTIONS, settings.languages).items():
        if set(files) != {""}:
            mend = f"give one file for each language, as {QUESTIONS.example}: its contexts are divided"
            raise BadInput(f"the questions in {name!r} are divided into files", where=str(folder), mend=mend)
        parts[name] = read_questions(read_raw(files[""]))
        _require_answered(name, parts[name])
    return parts


def _require_answered(name: str, part: Part) -> None:
    """Raise BadInput if a question lacks text, context or answer."""
    examples = part.examples
    pairs = list(zip(examples.first, examples.second or (), strict=True))
    empty = [row for row, texts in enumerate(pairs) if not all(words(text) for text in texts)]
    if len(empty) == len(pairs):
        raise BadInput(f"the language {name!r} has no text", where=_path(part), mend="give it texts, or leave it out")
    lacking = {"question or context": empty, "answer": [row for row, gold in enumerate(part.labels) if not len(gold)]}
    for what, rows in lacking.items():
        if rows:
            example = (examples.ids or ())[rows[0]]
            text = f"{count_of(len(rows), 'question')} in {name!r} without {what}, such as {example!r}"
            raise BadInput(text, where=_path(part), mend="give questions that their contexts answer")


def _context_numbers(texts: tuple[str, ...]) -> Integers:
    """Return the index of each question's context among the different contexts, in order of appearance, int64 [n]."""
    number = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    return np.array([number[text] for text in texts], dtype=np.int64)


def _parallel_rows(name: str, part: Part, source: tuple[str, Part]) -> Integers:
    """Return for each question of the source language the index in `part` of the question with the same id, int64 [n].

    Args:
        name: name of the language of `part`.
        part: the questions of a language.
        source: the name of the source language, and its questions.
    """
    row_of = {each: row for row, each in enumerate(part.examples.ids or ())}
    ids = source[1].examples.ids or ()
    missing, more = [each for each in ids if each not in row_of], sorted(row_of.keys() - set(ids))
    if missing or more:
        lacking, having = (name, source[0]) if missing else (source[0], name)
        number = count_of(len(missing or more), "question")
        what = f"{lacking!r} lacks {number} that {having!r} has, such as {(missing or more)[0]!r}"
        mend = "give the same questions with the same ids, or leave the language out with --languages"
        raise BadInput(what, where=_path(part), mend=mend)
    return np.array([row_of[each] for each in ids], dtype=np.int64)


def _divided(contexts: Integers, settings: LanguagesSettings, where: str) -> tuple[Integers, Integers]:
    """Return the indices of the training and of the test questions, int64."""
    number = int(contexts.max()) + 1
    train, test = np.split(np.arange(number), [round(number * (1 - settings.test))])
    fewest = min(len(train), len(test))
    if fewest < LEAST:
        what = f"{count_of(fewest, 'context')} cannot be learned from and measured"
        mend = f"give questions on {LEAST} contexts or more to each part, or choose another --test"
        raise BadInput(what, where=where, mend=mend)
    return _drawn(contexts, train, settings, test=False), _drawn(contexts, test, settings, test=True)


def _drawn(contexts: Integers, of_part: Integers, settings: LanguagesSettings, *, test: bool) -> Integers:
    """Return the indices of the questions on contexts drawn at random, int64.

    The questions are at most the part's share of `limit`, but those on `LEAST` contexts are always taken.

    Args:
        contexts: int64 [n], the index of each question's context.
        of_part: int64, the indices of the contexts of the part.
        settings: settings of the study.
        test: whether the part is the test part.
    """
    most = settings.limit * (settings.test if test else 1 - settings.test)
    order = seeds.child(settings.seed, "languages", "contexts", str(test)).permutation(of_part)
    within = np.cumsum(np.bincount(contexts)[order]) <= most
    return np.flatnonzero(np.isin(contexts, order[: max(LEAST, int(within.sum()))]))


def _questions(part: Part, rows: Integers, contexts: Integers, chosen: Integers) -> Questions:
    own = rows[chosen]
    return Questions(part.examples.take(own), part.labels[own], contexts[chosen])


def _path(part: Part) -> str:
    return part.origins[0].path
