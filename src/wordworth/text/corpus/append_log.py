"""Files that grow by appending, and how far they are known to be good: a build that was killed goes on from there."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from wordworth.errors import BadInput
from wordworth.files import remove_partial_files, unwritable, write_text
from wordworth.json_file import read_object

STATE = "progress.json"


@dataclass(slots=True)
class Journal:
    """Appends to several files of a folder and writes down, now and then, how long each is by right.

    What stands behind the lengths written down is cut off when the journal is opened again. A journal of another `key`
    is begun anew.

    Attributes:
        folder: where the files are.
        key: of everything that decides their bytes.
        names: of the files.
        numbers: whatever else belongs to this point; written down with the lengths.
    """

    folder: Path
    key: str
    names: tuple[str, ...]
    numbers: dict[str, int] = field(default_factory=dict)
    _files: dict[str, IO[bytes]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            remove_partial_files(self.folder)
            lengths = self._known_lengths()
            for name in self.names:
                path = self.folder / name
                if not lengths:
                    path.unlink(missing_ok=True)  # who reads an older store goes on reading it
                file = self._files[name] = path.open("ab")
                file.truncate(lengths.get(name, 0))
        except OSError as error:
            self._close()
            raise unwritable(error, self.folder) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for file in self._files.values():
            with suppress(OSError):  # what was not committed is cut off anyway
                file.close()

    def append(self, parts: Mapping[str, memoryview | bytes]) -> None:
        """Write to the end of files, by name.

        Raises:
            BadInput: the disk is full.
        """
        try:
            for name, data in parts.items():
                self._files[name].write(data)
        except OSError as error:
            raise unwritable(error, self.folder) from error

    def commit(self) -> None:
        """Make what was appended good: it will be there after a kill.

        Raises:
            BadInput: the disk is full.
        """
        try:
            for file in self._files.values():
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise unwritable(error, self.folder) from error
        lengths = {name: file.tell() for name, file in self._files.items()}
        write_text(self.folder / STATE, json.dumps({"key": self.key, "lengths": lengths, "numbers": self.numbers}))

    def _known_lengths(self) -> dict[str, int]:
        state = self._state()
        if state.get("key") != self.key:
            return {}
        lengths: dict[str, int] = state["lengths"]
        if any(_size(self.folder / name) < length for name, length in lengths.items()):
            return {}  # a disk that lost its last writes: from the beginning
        self.numbers.update(state["numbers"])
        return lengths

    def _state(self) -> dict[str, Any]:
        try:
            return read_object(self.folder / STATE)
        except BadInput:
            return {}  # none there, or none of ours


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
