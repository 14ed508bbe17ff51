"""The log of a run: one JSON line per step, evaluation or speed report, and the same for TensorBoard if installed."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from wordworth.errors import BadInput
from wordworth.files import unwritable, write_text
from wordworth.json_file import parse_json

FILE = "log.jsonl"
_FORMER_KINDS = {"look": "evaluation", "pace": "speed"}
_FORMER_FIELDS = {
    "rate": "learning_rate",
    "look_texts": "evaluation_texts",
    "look_texts_of": "evaluation_texts_of",
}
"""Former kinds of rows and names of their values, and their names today; the log of an older run is read by them."""


class Events(Protocol):
    """An interface: the part of TensorBoard's `SummaryWriter` that the log of a run uses."""

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Write a point of a curve.

        Args:
            tag: name of the curve.
            value: the value.
            step: the step at which the value was measured.
        """

    def close(self) -> None:
        """Write everything to disk and close the file."""


class Log:
    """The log of a run; if the run is resumed, the rows of steps after its checkpoint are dropped.

    Args:
        folder: folder of the log.
        step: number of steps done when the run begins or resumes; rows of later steps are dropped.
        writes: whether this process writes the log; only one of several does.
    """

    def __init__(self, folder: Path, step: int = 0, *, writes: bool = True) -> None:
        self.path = folder / FILE
        self._file, self._events = None, None
        if writes:
            write_text(self.path, "".join(json.dumps(row) + "\n" for row in read(folder) if row["step"] <= step))
            self._file, self._events = self.path.open("a", encoding="utf-8"), _events(folder, step)

    @property
    def writes(self) -> bool:
        """Whether this process writes the log."""
        return self._file is not None

    def rows(self) -> list[dict[str, Any]]:
        """Return all rows of the log so far, read from the disk: the log itself does not keep them in memory."""
        return read(self.path.parent)

    def write(self, kind: str, step: int, **values: Any) -> None:  # noqa: ANN401 - what is logged
        """Write a row of the log, whose numbers also become points of TensorBoard curves called `kind/name`.

        Args:
            kind: the kind of row, such as a step or an evaluation.
            step: number of steps done.
            values: name -> value.

        Raises:
            BadInput: the disk is full.
        """
        if self._file is None:
            return
        try:
            self._file.write(json.dumps({"kind": kind, "step": step, **values}) + "\n")
            self._file.flush()
        except OSError as error:
            raise unwritable(error, self.path) from error
        if self._events is not None:
            for name, value in values.items():
                if isinstance(value, int | float):
                    self._events.add_scalar(f"{kind}/{name}", value, step)

    def close(self) -> None:
        """Close the files of the log."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        if self._events is not None:
            self._events.close()


def read(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of a run's log from its folder; an incomplete last line is left out.

    Raises:
        BadInput: an earlier line is damaged.
    """
    path = folder / FILE
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(_todays(parse_json(line)))
        except ValueError as error:
            if number < len(lines):
                mend = "delete the line; the run itself is in its checkpoints"
                raise BadInput("this line is damaged", where=f"{path}, line {number}", mend=mend) from error
    return rows


def _todays(row: object) -> dict[str, Any]:
    """Return a row of a log with former names of fields and kinds replaced by their current names.

    Raises:
        ValueError: `row` is not a JSON object.
    """
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - as for a line that is not JSON
    named: dict[str, Any] = {_FORMER_FIELDS.get(str(name), str(name)): value for name, value in row.items()}
    kind = str(row.get("kind"))
    return {**named, "kind": _FORMER_KINDS.get(kind, kind)}


def _events(folder: Path, step: int) -> Events | None:
    """Return the writer of TensorBoard's files if it is installed; it discards earlier points beyond `step`."""
    try:
        from tensorboardX import SummaryWriter
    except ModuleNotFoundError:
        return None
    writer: Events = SummaryWriter(str(folder), purge_step=step + 1)
    return writer
