"""The word benchmarks: which there are, and their files as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.errors import BadInput, nearest
from wordworth.tasks.layouts.places import shared
from wordworth.text.lines import lines

Kind = Literal["similarity", "analogy", "category", "relation"]
KINDS: tuple[Kind, ...] = ("similarity", "analogy", "category", "relation")
_MEND = "put the sets into a folder `wordsets` of $WORDWORTH_DATA, or give their folder with --data"
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


@dataclass(frozen=True, slots=True)
class WordSet:
    """A benchmark.

    Attributes:
        name: what a user writes.
        title: as it is published.
        kind: what is asked.
        files: under the folder of the sets.
        read: from those files to data.
        counted: whether it is in the mean over similarity sets; parts of other sets are not.
    """

    name: str
    title: str
    kind: Kind
    files: tuple[str, ...]
    read: Callable[[Sequence[Path]], Content]
    counted: bool = False

    def paths(self, folder: Path) -> list[Path]:
        """Its files, whether or not they are there."""
        return [folder / file for file in self.files]


def sets_folder(given: Path | str | None) -> Path:
    """The folder of the sets.

    Raises:
        BadInput: it was not given and `$WORDWORTH_DATA` has none, or it is not there.
    """
    folder = Path(given) if given is not None else shared("wordsets")
    if folder is None:
        raise BadInput("no folder of word benchmarks was given", mend=_MEND)
    if not folder.is_dir():
        raise BadInput("there is no such folder of word benchmarks", where=str(folder), mend=_MEND)
    return folder


def chosen(names: Sequence[str], folder: Path) -> list[WordSet]:
    """The sets of those names or kinds; a kind, or `all`, stands for those whose files are in the folder.

    Raises:
        BadInput: there is no such set, a named one's file is missing, or nothing is there.
    """
    here = [one for one in CATALOGUE if all(path.is_file() for path in one.paths(folder))]
    wanted: dict[str, WordSet] = {}
    for name in names:
        named = [one for one in CATALOGUE if one.name == name]
        if name not in ("all", *KINDS) and not named:
            known = ["all", *KINDS, *(one.name for one in CATALOGUE)]
            raise BadInput(f"no word benchmark {name!r}", where="--sets", mend=nearest(name, known))
        wanted |= {one.name: one for one in named or here if named or name in ("all", one.kind)}
    missing = [path for one in wanted.values() for path in one.paths(folder) if not path.is_file()]
    if missing or not wanted:
        raise BadInput("this word benchmark is not here", where=str(missing[0] if missing else folder), mend=_MEND)
    return [one for one in CATALOGUE if one.name in wanted]


def _pairs(paths: Sequence[Path]) -> Pairs:
    rows = [(a, b, _number(rating, place)) for place, (a, b, rating) in _fields(paths[0], _PAIR + 1)]
    return Pairs(tuple(row[0] for row in rows), tuple(row[1] for row in rows), tuple(row[2] for row in rows))


def _google(paths: Sequence[Path]) -> Analogies:
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


def _msr(paths: Sequence[Path]) -> Analogies:
    rows = [row for _, row in _fields(paths[0], _QUESTION + 1)]
    return Analogies(tuple((a, b, c, d) for _, a, b, c, d in rows), tuple(row[0] for row in rows))


def _categories(paths: Sequence[Path]) -> Categories:
    """A word in several categories (Battig's) is left out: no clustering could be right about it."""
    rows = [(label, word) for _, (label, word) in _fields(paths[0], _PAIR)]
    homes: dict[str, set[str]] = {}
    for label, word in rows:
        homes.setdefault(word, set()).add(label)
    single = {word: next(iter(labels)) for word, labels in homes.items() if len(labels) == 1}
    return Categories(tuple(single), tuple(single.values()))


def _relations(paths: Sequence[Path]) -> Relations:
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
        return float(field)
    except ValueError as error:
        raise _bad(f"{field!r} is no number", place) from error


def _bad(what: str, where: str) -> BadInput:
    return BadInput(what, where=where, mend="fetch the set again")


def _similarity(name: str, title: str, file: str, *, counted: bool = False) -> WordSet:
    return WordSet(name, title, "similarity", (f"sim/EN-{file}.txt",), _pairs, counted)


CATALOGUE = (
    _similarity("simlex", "SimLex-999", "SIMLEX-999", counted=True),
    _similarity("ws353", "WordSim-353", "WS-353-ALL", counted=True),
    _similarity("men", "MEN", "MEN-TR-3k", counted=True),
    _similarity("rw", "Stanford Rare Words", "RW-STANFORD", counted=True),
    _similarity("simverb", "SimVerb-3500", "SimVerb-3500", counted=True),
    _similarity("rg65", "Rubenstein-Goodenough 65", "RG-65", counted=True),
    _similarity("mturk771", "MTurk-771", "MTurk-771", counted=True),
    _similarity("ws353-sim", "WordSim-353, similarity", "WS-353-SIM"),
    _similarity("ws353-rel", "WordSim-353, relatedness", "WS-353-REL"),
    _similarity("mc30", "Miller-Charles 30", "MC-30"),
    _similarity("mturk287", "MTurk-287", "MTurk-287"),
    _similarity("yp130", "Yang-Powers 130", "YP-130"),
    _similarity("verb143", "VERB-143", "VERB-143"),
    _similarity("card660", "Card-660", "CARD-660"),
    _similarity("semeval17", "SemEval-2017 task 2", "SEMEVAL17-500"),
    WordSet("google", "Google analogies", "analogy", ("analogy/questions-words.txt",), _google),
    WordSet("msr", "MSR analogies", "analogy", ("analogy/msr.tsv",), _msr),
    WordSet("ap", "Almuhareb-Poesio", "category", ("categories/ap.tsv",), _categories),
    WordSet("bless", "BLESS", "category", ("categories/bless.tsv",), _categories),
    WordSet("battig", "Battig", "category", ("categories/battig.tsv",), _categories),
    WordSet("essli2008", "ESSLLI 2008", "category", ("categories/essli-2008.tsv",), _categories),
    WordSet(
        "semeval2012",
        "SemEval-2012 task 2",
        "relation",
        ("relation/semeval2012_task2_ratings.tsv", "relation/semeval2012_task2_paradigms.tsv"),
        _relations,
    ),
)
