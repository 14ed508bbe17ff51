"""`Draft`: a task together with the rows of the file that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Rows, Task


@dataclass(frozen=True, slots=True)
class Draft:
    """A task that still knows where each example came from: example i is row `rows[i]` of the sheet."""

    task: Task
    sheet: LabelledRows
    rows: Rows

    def cells(self, name: str) -> list[str]:
        """The cells of a column, one for each example."""
        whole = self.sheet.cells(name)
        return [whole[row] for row in self.rows]

    def where(self, example: int) -> str:
        """The file name and line of an example."""
        return Path(self.sheet.where(int(self.rows[example]))).name
