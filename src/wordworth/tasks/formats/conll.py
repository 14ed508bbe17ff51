"""CoNLL files: tagged sentences with a word on each line, in any tag scheme (IOB1, IOB2, IOBES, ...)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.measures.chunk_f1 import stripped
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.tasks.reading.labelled_rows import words
from wordworth.tasks.task import Examples
from wordworth.tasks.task_types.tagging import iob2, iob2_classes
from wordworth.text.file_formats.conll import read_conll
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile


@dataclass(frozen=True, slots=True)
class ConllReader:
    """A reader of CoNLL files, with a word in the first column and its tag in the last.

    Attributes:
        types: the entity types that tags may have.
    """

    types: tuple[str, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes of a tagging task with given entity types: `O`, then the IOB2 tags of each type."""
        return iob2_classes(self.types)

    def __call__(self, file: RawFile) -> Part:
        """Read the part in a file: sentences with words and IOB2 tags, and documents if `-DOCSTART-` lines mark them.

        Raises:
            BadInput: the file has another format, or a tag is not of one of the entity types of the reader.
        """
        table = read_conll(file)
        sentence_words = tuple(tuple(words(cell)) for cell in table.column("words"))
        tags = self.tags(table)
        number = {name: index for index, name in enumerate(self.classes)}
        labels = tuple(np.array([number[tag] for tag in row], dtype=np.int64) for row in iob2(tags))
        examples = Examples(tuple(map(" ".join, sentence_words)), words=sentence_words, documents=table.document_of)
        return Part(examples, labels, (origin(file, len(table)),))

    def tags(self, table: TextTable) -> list[list[str]]:
        """Return the tags of each sentence of a CoNLL file, as the file writes them.

        Raises:
            BadInput: a tag is not of one of the entity types of the reader.
        """
        rows = [words(cell) for cell in table.column("tags")]
        known = {"", *self.types}
        for row, tags in enumerate(rows):
            for tag in tags:
                if (stripped(tag)[1] if tag != "O" else "") not in known:
                    raise BadInput(f"tag {tag!r:.60}", where=table.where(row), mend=nearest(tag, self.classes))
        return rows
