"""The contents of benchmark files (pairs, analogies, categories, relations), and a reader for each format."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.read_compressed_file import lines

_PAIR, _QUESTION, _RATING = 2, 4, 4


@dataclass(frozen=True, slots=True)
class Pairs:
    """The items of a similarity benchmark: word pairs (`first[i]`, `second[i]`) with people's ratings."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    ratings: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Analogies:
    """The items of an analogy benchmark: questions (a, b, c, answer), where a is to b as c is to the answer."""

    questions: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Categories:
    """The items of a categorisation benchmark: words, and the category of each word (`labels`)."""

    words: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between words: prototypical pairs, and pairs that people rated by how well they show the relation."""

    name: str
    prototypes: tuple[tuple[str, str], ...]
    pairs: tuple[tuple[str, str], ...]
    ratings: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Relations:
    """The items of a benchmark of relations between words, relation by relation."""

    relations: tuple[Relation, ...]


Content = Pairs | Analogies | Categories | Relations


def words_of(content: Content) -> list[str]:
    """Return the words of all items of a benchmark, item by item, with repetitions."""
    if isinstance(content, Pairs):
        return [*content.first, *content.second]
    if isinstance(content, Analogies):
        return [word for question in content.questions for word in question]
    if isinstance(content, Categories):
        return list(content.words)
    pairs = [pair for relation in content.relations for pair in (*relation.prototypes, *relation.pairs)]
    return [word for pair in pairs for word in pair]


def read_pairs(paths: Sequence[Path]) -> Pairs:
    """Read rated word pairs from a file with one pair per line: word, word, rating, separated by tabs."""
    rows = [(a, b, _number(rating, where)) for where, (a, b, rating) in _fields(paths[0], _PAIR + 1)]
    return Pairs(tuple(row[0] for row in rows), tuple(row[1] for row in rows), tuple(row[2] for row in rows))


def read_google(paths: Sequence[Path]) -> Analogies:
    """Read analogies from a file with four words per line; a line that starts with a colon names a section."""
    questions = []
    for number, line in lines(paths[0]):
        if line.strip() and not line.startswith(":"):
            words = line.split()
            if len(words) != _QUESTION:
                raise _malformed(f"{len(words)} words, but a question has {_QUESTION}", f"{paths[0]}, line {number}")
            questions.append((words[0], words[1], words[2], words[3]))
    return Analogies(tuple(questions))


def read_msr(paths: Sequence[Path]) -> Analogies:
    """Read analogies from a file with one question per line, which has a section and four words, separated by tabs."""
    rows = [row for _, row in _fields(paths[0], _QUESTION + 1)]
    return Analogies(tuple((a, b, c, d) for _, a, b, c, d in rows))


def read_categories(paths: Sequence[Path]) -> Categories:
    """Read words and their categories; words in several categories (as in Battig) are left out."""
    rows = [(label, word) for _, (label, word) in _fields(paths[0], _PAIR)]
    homes: dict[str, set[str]] = {}
    for label, word in rows:
        homes.setdefault(word, set()).add(label)
    single = {word: next(iter(labels)) for word, labels in homes.items() if len(labels) == 1}
    return Categories(tuple(single), tuple(single.values()))


def read_relations(paths: Sequence[Path]) -> Relations:
    """Read the 69 relations of SemEval-2012's test split, from the files of ratings and of prototypical pairs."""
    prototypes: dict[str, list[tuple[str, str]]] = {}
    for _, (name, left, right) in _fields(paths[1], _PAIR + 1):
        prototypes.setdefault(name, []).append((left, right))
    rated: dict[str, list[tuple[str, str, float]]] = {}
    for where, (name, part, left, right, rating, _) in _fields(paths[0], _RATING + 2):
        if part == "testing":
            rated.setdefault(name, []).append((left, right, _number(rating, where)))
    return Relations(
        tuple(
            Relation(
                name, tuple(prototypes.get(name, ())), tuple(row[:2] for row in rows), tuple(row[2] for row in rows)
            )
            for name, rows in rated.items()
        )
    )


def _fields(path: Path, count: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the location and the first `count` fields of each row; a header line is skipped."""
    for number, line in lines(path):
        fields = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and fields[0] in ("category", "type")):
            continue
        where = f"{path}, line {number}"
        if len(fields) < count:
            raise _malformed(f"{len(fields)} fields, expected {count}", where)
        yield where, fields[:count]


def _number(field: str, where: str) -> float:
    try:
        number = float(field)
    except ValueError as error:
        raise _malformed(f"{field!r} is not a number", where) from error
    if not math.isfinite(number):
        raise _malformed(f"{field!r} is not a rating", where)
    return number


def _malformed(what: str, where: str) -> BadInput:
    return BadInput(what, where=where, mend="docs/data.md says what a line should hold; download the set again")
