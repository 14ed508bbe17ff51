"""The looks at a set of labels: the verdicts that were drawn on the same labels, in one folder, while more were added.

A user who labels more texts until the verdict is definite looks several times, and each look may give a false answer.
So every further look is allowed a smaller probability of error (`decision_rule.error_rate`), and the record in the
folder counts the looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.files import sha256_of_bytes
from wordworth.records import RECORD, read

if TYPE_CHECKING:
    from wordworth.tasks.task import Task

_SKETCH = 64
"""Number of hashes of texts that are stored to recognise the texts of an earlier verdict."""
_SAME = 0.1
"""Share of the stored hashes that must occur among the texts for the labels to count as the same with more added. The
share is small because a study of a larger file may draw other rows of the file."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks so far: the verdicts that were drawn on the same labels while more labels were added.

    Attributes:
        rows: the number of labelled rows at each look.
        text_hashes: the `_SKETCH` (64) smallest hashes of the texts of the last look. If the texts of a later study
            have less than a tenth of these hashes, its labels are taken as new ones.
    """

    rows: tuple[int, ...] = ()
    text_hashes: tuple[str, ...] = ()

    @classmethod
    def of(cls, folder: Path | None) -> Looks:
        """Return the looks (earlier verdicts of the same labels) that the record in a folder lists.

        The result is empty if the folder has no record of a verdict.

        Args:
            folder: the folder, or None.
        """
        if folder is None or not (folder / RECORD).exists():
            return cls()
        try:
            stored = read(folder / RECORD).data.get("looks")
        except BadInput:
            return cls()  # the folder was checked before; a record that was damaged since counts nothing
        known = stored if isinstance(stored, dict) else {}
        rows, texts = known.get("rows"), known.get("texts")
        if not isinstance(rows, list) or not isinstance(texts, list) or not all(isinstance(each, int) for each in rows):
            return cls()
        return cls(tuple(rows), tuple(map(str, texts))) if rows else cls()

    @property
    def number(self) -> int:
        """The number of verdicts of these labels so far: 1 for the first, 2 after more labels were added, and so on."""
        return max(1, len(self.rows))

    def next(self, task: Task) -> Looks:
        """Return these looks (verdicts of growing labels) and one more, for a verdict on this task.

        A verdict on the same texts as the last look adds no look. If hardly any texts are shared with the last look,
        the labels are new, and counting begins again at one.
        """
        hashes = {sha256_of_bytes(text.encode("utf-8", "replace"))[:16] for text in task.examples.first}
        now, rows = tuple(sorted(hashes)[:_SKETCH]), len(task.used)
        known = sum(text in hashes for text in self.text_hashes)
        if not self.text_hashes or known < _SAME * len(self.text_hashes):
            return Looks((rows,), now)
        if now == self.text_hashes and rows == self.rows[-1]:
            return self
        return Looks((*self.rows, rows), now)

    def columns(self) -> dict[str, Any]:
        """Return the looks (verdicts of growing labels) as plain data, for the record."""
        return {"rows": list(self.rows), "texts": list(self.text_hashes)}


NO_LOOKS = Looks()
"""No look so far."""
