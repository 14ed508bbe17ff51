"""Files that grow by appending, with a log of the valid length of each, so that a killed build can be resumed."""

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
class AppendLog:
    """A writer that appends to several files of a folder and records the length of each at every commit.

    When the log of a folder is opened again, bytes beyond the recorded lengths are cut off. If the folder was written
    with another `key`, all files start empty.

    Attributes:
        folder: the folder of the files.
        key: hash of everything that decides the bytes of the files.
        names: the names of the files.
        counters: name -> number; further state of the build, recorded with the lengths.
    """

    folder: Path
    key: str
    names: tuple[str, ...]
    counters: dict[str, int] = field(default_factory=dict)
    _files: dict[str, IO[bytes]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            remove_partial_files(self.folder)
            lengths = self._known_lengths()
            for name in self.names:
                path = self.folder / name
                if not lengths:
                    path.unlink(missing_ok=True)  # a process that has the old file open keeps reading it
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
            with suppress(OSError):  # bytes that were not committed are cut off anyway
                file.close()

    def append(self, parts: Mapping[str, memoryview | bytes]) -> None:
        """Append bytes to some of the files.

        Args:
            parts: name of a file -> the bytes to append to it.

        Raises:
            BadInput: the disk is full.
        """
        try:
            for name, data in parts.items():
                self._files[name].write(data)
        except OSError as error:
            raise unwritable(error, self.folder) from error

    def commit(self) -> None:
        """Record the current lengths of the files on disk, so that everything appended survives a killed process.

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
        write_text(self.folder / STATE, json.dumps({"key": self.key, "lengths": lengths, "numbers": self.counters}))

    def _known_lengths(self) -> dict[str, int]:
        state = self._state()
        if state.get("key") != self.key:
            return {}
        lengths: dict[str, int] = state["lengths"]
        if any(_size(self.folder / name) < length for name, length in lengths.items()):
            return {}  # the disk lost its last writes: start from the beginning
        self.counters.update(state["numbers"])
        return lengths

    def _state(self) -> dict[str, Any]:
        try:
            return read_object(self.folder / STATE)
        except BadInput:
            return {}  # no such file, or not one of ours


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
