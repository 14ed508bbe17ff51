"""`EmbedReport`: what `embed` reports on the file of vectors that it wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """Report on the file of vectors that `embed` wrote.

    Attributes:
        out: path of the file.
        rows, width: number of vectors in the file, and width of a vector.
        resumed: number of rows that an earlier, stopped run had computed.
        zero_vectors: number of texts whose vector is all zeros, since a static table knows no word of the text: the
            text is empty or in another script, for example.
        unread: share, from 0 to 1, of the words or pieces of the first 1,000 texts that the model does not know.
        empty_texts: number of rows whose text is empty or null; an encoder gives all such rows the same vector.
        dtype: dtype of the model's computation.
        unchanged: True if an earlier run had made the file from the same texts, model and settings, and nothing was
            written.
    """

    out: Path
    rows: int
    width: int
    resumed: int
    zero_vectors: int = 0
    unread: float = 0.0
    empty_texts: int = 0
    dtype: str = "float32"
    unchanged: bool = False

    @property
    def blank(self) -> int:
        """The former name of `zero_vectors`."""
        return self.zero_vectors

    @property
    def empty(self) -> int:
        """The former name of `empty_texts`."""
        return self.empty_texts

    @property
    def finished(self) -> bool:
        """The former name of `unchanged`."""
        return self.unchanged
