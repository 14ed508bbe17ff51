"""Sentences with a pronoun and the candidates for its antecedent, as in Winograd schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.tasks.formats.pronoun_rows import pronoun_row
from wordworth.text.file_formats.read import iterate_rows
from wordworth.text.read_compressed_file import file_sha256

_WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")


@dataclass(frozen=True, slots=True)
class PronounSentence:
    """A sentence with a pronoun and candidates for its antecedent.

    Attributes:
        words: the words in order.
        pronoun: index of the pronoun in `words`.
        candidates: index in `words` of the last word of each candidate, in the order of the file.
        answer: index of the right candidate in `candidates`.
        group: a number that identifies the set of candidates; the sentences of one Winograd schema, which differ in a
            word or two, share it.
    """

    words: tuple[str, ...]
    pronoun: int
    candidates: tuple[int, ...]
    answer: int
    group: int


@dataclass(frozen=True, slots=True)
class PronounSet:
    """The usable sentences with pronouns in a file, with the file's name, its SHA-256 and its number of rows."""

    sentences: Sequence[PronounSentence]
    name: str
    sha256: str
    rows: int


def read_pronouns(path: Path) -> PronounSet:
    """Read a table whose columns are sentence, pronoun, candidates (with | between them) and answer.

    A row is left out unless its sentence has the pronoun and each candidate exactly once.

    Raises:
        BadInput: there is no such file or column, a row has fewer than two candidates or an answer that is not one of
            them, or no row is usable.
    """
    groups: dict[frozenset[str], int] = {}
    rows = [_sentence(cells, groups, where) for where, cells in iterate_rows(path)]
    sentences = [sentence for sentence in rows if sentence is not None]
    if not sentences:
        what = "no row has its pronoun and its candidates exactly once"
        raise BadInput(what, where=str(path), mend="write both as they are in the sentence")
    return PronounSet(sentences, path.name, file_sha256(path), len(rows))


def _sentence(cells: Mapping[str, str], groups: dict[frozenset[str], int], where: str) -> PronounSentence | None:
    row = pronoun_row(cells, where)
    words = _WORD.findall(row.text)
    ends = [_end(words, _WORD.findall(phrase)) for phrase in (row.pronoun, *row.candidates)]
    if None in ends:
        return None
    pronoun, *of_candidates = [end for end in ends if end is not None]
    group = groups.setdefault(frozenset(each.lower() for each in row.candidates), len(groups))
    return PronounSentence(tuple(words), pronoun, tuple(of_candidates), row.answer, group)


def _end(words: Sequence[str], phrase: Sequence[str]) -> int | None:
    """Return the index in `words` of the phrase's last word, or None unless `words` have the phrase exactly once."""
    lower, sought = [word.lower() for word in words], [word.lower() for word in phrase]
    starts = [at for at in range(len(lower)) if sought and lower[at : at + len(sought)] == sought]
    return starts[0] + len(sought) - 1 if len(starts) == 1 else None
