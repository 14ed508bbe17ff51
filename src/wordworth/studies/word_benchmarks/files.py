"""What a benchmark's files hold: pairs, questions, words or relations, and how each file is read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.lines import lines

_PAIR, _QUESTION, _RATING = 2, 4, 4


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of words and how people rate their likeness."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    ratings: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Analogies:
    """Questions (a, b, c, answer), and the section each is from."""

    questions: tuple[tuple[str, str, str, str], ...]
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Categories:
    """Words and the category of each."""

    words: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation: its model pairs, and pairs rated by how well they show it."""

    name: str
    models: tuple[tuple[str, str], ...]
    pairs: tuple[tuple[str, str], ...]
    ratings: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Relations:
    """Several relations."""

    relations: tuple[Relation, ...]


Content = Pairs | Analogies | Categories | Relations


def words_of(content: Content) -> list[str]:
    """Every word of a set, repeats with it; none of a set that holds nothing."""
    if isinstance(content, Pairs):
        return [*content.first, *content.second]
    if isinstance(content, Analogies):
        return [word for question in content.questions for word in question]
    if isinstance(content, Categories):
        return list(content.words)
    pairs = [pair for relation in content.relations for pair in (*relation.models, *relation.pairs)]
    return [word for pair in pairs for word in pair]


def read_pairs(paths: Sequence[Path]) -> Pairs:
    """A line a pair: word, word, rating, parted by tabs."""
    rows = [(a, b, _number(rating, place)) for place, (a, b, rating) in _fields(paths[0], _PAIR + 1)]
    return Pairs(tuple(row[0] for row in rows), tuple(row[1] for row in rows), tuple(row[2] for row in rows))


def read_google(paths: Sequence[Path]) -> Analogies:
    """A line a question of four words; a line with a colon names the section that follows."""
    section, found, sections = "", [], []
    for number, line in lines(paths[0]):
        if line.startswith(":"):
            section = line[1:].strip()
        elif line.strip():
            words = line.split()
            if len(words) != _QUESTION:
                raise _bad(f"{len(words)} words, but a question has {_QUESTION}", f"{paths[0]}, line {number}")
            found.append((words[0], words[1], words[2], words[3]))
            sections.append(section)
    return Analogies(tuple(found), tuple(sections))


def read_msr(paths: Sequence[Path]) -> Analogies:
    """A line a question: section and four words, parted by tabs."""
    rows = [row for _, row in _fields(paths[0], _QUESTION + 1)]
    return Analogies(tuple((a, b, c, d) for _, a, b, c, d in rows), tuple(row[0] for row in rows))


def read_categories(paths: Sequence[Path]) -> Categories:
    """A word in several categories (Battig's) is left out: no clustering could be right about it."""
    rows = [(label, word) for _, (label, word) in _fields(paths[0], _PAIR)]
    homes: dict[str, set[str]] = {}
    for label, word in rows:
        homes.setdefault(word, set()).add(label)
    single = {word: next(iter(labels)) for word, labels in homes.items() if len(labels) == 1}
    return Categories(tuple(single), tuple(single.values()))


def read_relations(paths: Sequence[Path]) -> Relations:
    """The 69 relations of the testing part."""
    models: dict[str, list[tuple[str, str]]] = {}
    for _, (name, left, right) in _fields(paths[1], _PAIR + 1):
        models.setdefault(name, []).append((left, right))
    rated: dict[str, list[tuple[str, str, float]]] = {}
    for place, (name, part, left, right, rating, _) in _fields(paths[0], _RATING + 2):
        if part == "testing":
            rated.setdefault(name, []).append((left, right, _number(rating, place)))
    return Relations(
        tuple(
            Relation(name, tuple(models.get(name, ())), tuple(row[:2] for row in rows), tuple(row[2] for row in rows))
            for name, rows in rated.items()
        )
    )


def _fields(path: Path, count: int) -> Iterator[tuple[str, list[str]]]:
    """Where each row stands, and its first fields; a first line of column names is passed over."""
    for number, line in lines(path):
        fields = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and fields[0] in ("category", "type")):
            continue
        place = f"{path}, line {number}"
        if len(fields) < count:
            raise _bad(f"{len(fields)} fields, but {count} are due", place)
        yield place, fields[:count]


def _number(field: str, place: str) -> float:
    try:
        number = float(field)
    except ValueError as error:
        raise _bad(f"{field!r} is no number", place) from error
    if not math.isfinite(number):
        raise _bad(f"{field!r} is no rating", place)
    return number


def _bad(what: str, where: str) -> BadInput:
    return BadInput(what, where=where, mend="docs/data.md tells what a line should hold; fetch the set again")
