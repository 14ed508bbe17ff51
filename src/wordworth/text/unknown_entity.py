"""`UnknownEntity`: a text links to an entity that a model lacks; and where in which file it does."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.entity_links import parse_links
from wordworth.text.file_formats.read import format_of, iterate_rows
from wordworth.text.read_compressed_file import lines


class UnknownEntity(BadInput):
    """A text links to an entity that has no vector in the model.

    Args:
        entity: the identifier of the entity.
        text: the text, whose beginning the error shows.
        where: the place of the text, such as file and line; empty if it is not known.
    """

    def __init__(self, entity: str, text: str, where: str = "") -> None:
        self.entity, self.text = entity, text
        what = f"the text {text!r:.80} links to {entity!r:.60}, an entity without a vector in this model"
        super().__init__(what, where=where, mend="leave its links out, or fuse a table of vectors that has it")

    def in_files(self, files: Iterable[Path], columns: Collection[str] | None = None) -> UnknownEntity:
        """Return the same error with the file and line of the first link to the entity; the files are read to find it.

        Args:
            files: the files of which one holds the text with the link; if no link is found, the error names the files
                without a line.
            columns: the columns that texts are read from; None for all.
        """
        paths = list(files)
        locations = (where for file in paths for where in _linking_rows(file, columns, self.entity))
        return UnknownEntity(self.entity, self.text, next(locations, ", ".join(map(str, paths[:3]))))


def links_to(text: str, entity: str) -> bool:
    """Return whether a text links to an entity; identifiers count as equal if their composed forms (NFC) are equal."""
    wanted = {entity, unicodedata.normalize("NFC", entity)}
    linked = (mention.entity for mention in parse_links(text).mentions)
    return any(each in wanted or unicodedata.normalize("NFC", each) in wanted for each in linked)


def _linking_rows(file: Path, columns: Collection[str] | None, entity: str) -> Iterator[str]:
    """Yield file and line of each row of a file whose text links to an entity."""
    with suppress(BadInput):  # rows of no table, such as SQuAD's: the file is named without a line
        for where, texts in _texts(file, columns):
            if any(links_to(text, entity) for text in texts):
                yield where


def _texts(file: Path, columns: Collection[str] | None) -> Iterator[tuple[str, list[str]]]:
    known = format_of(file)
    if known is None or not known.named:
        yield from ((f"{file}, line {number}", [line]) for number, line in lines(file))
    else:
        for where, cells in iterate_rows(file):
            yield where, [cell for name, cell in cells.items() if columns is None or name in columns]
