"""Rows of pronoun problems: a sentence, its pronoun, the candidates for what it refers to, and the right candidate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.tasks.formats.data_folders import named_file
from wordworth.tasks.reading.labelled_rows import values

FOLDER = Path("senses", "winograd")
_COLUMNS = ("sentence", "pronoun", "candidates", "answer")


@dataclass(frozen=True, slots=True)
class PronounRow:
    """One pronoun problem, a row of a table.

    Attributes:
        text: the sentence, or a longer text.
        pronoun: the pronoun as the text writes it, or the blank (such as [MASK]) that stands in its place.
        candidates: two or more different candidates for what the pronoun refers to.
        answer: index of the right candidate, from 0.
    """

    text: str
    pronoun: str
    candidates: tuple[str, ...]
    answer: int


def pronoun_path(name: Path | str) -> Path:
    """Return the path of a file of pronoun problems.

    Args:
        name: a path, or the name of a published file such as `dpr_train` in `$WORDWORTH_DATA/senses/winograd`.

    Raises:
        BadInput: there is no such file and no such name.
    """
    return named_file(name, FOLDER / f"{name}.tsv", "sentences with pronouns")


def pronoun_row(cells: Mapping[str, str], where: str) -> PronounRow:
    """Parse a row with the columns sentence (or text), pronoun, candidates (separated by |) and answer.

    Args:
        cells: column name -> cell; the cell of candidates may also be a JSON array.
        where: file and line, for errors.

    Raises:
        BadInput: a column is missing, there are fewer than two different candidates, or the answer is not among them.
    """
    row = {"sentence": cells["text"], **cells} if "text" in cells else cells
    missing = next((name for name in _COLUMNS if name not in row), None)
    if missing is not None:
        raise BadInput(f"no column {missing!r}", where=where, mend=f"give a table with {', '.join(_COLUMNS)}")
    candidates = candidates_in(row["candidates"], where)
    if row["answer"].strip() not in candidates:
        raise BadInput("the answer is none of the candidates", where=where, mend="write it as it is among them")
    answer = candidates.index(row["answer"].strip())
    return PronounRow(row["sentence"], row["pronoun"].strip(), candidates, answer)


def candidates_in(cell: str, where: str) -> tuple[str, ...]:
    """Return the candidates for a pronoun's referent that a cell holds, separated by | or as a JSON array.

    Args:
        cell: the cell.
        where: the place of the cell in its file, for the error message.

    Raises:
        BadInput: there are fewer than two candidates, one is empty, or one occurs twice.
    """
    candidates = tuple(each.strip() for each in values(cell) or cell.split("|"))
    if len(set(candidates)) < max(2, len(candidates)) or "" in candidates:
        raise BadInput(
            "fewer than two different candidates", where=where, mend="write two or more, with | between them"
        )
    return candidates
