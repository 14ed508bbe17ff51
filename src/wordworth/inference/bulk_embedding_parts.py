"""`Parts`: the folder in which `embed` keeps what is done so far, so that a run that was stopped goes on from there."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import atomic_write, write_text
from wordworth.folder_lock import alone_in
from wordworth.json_file import read_object

_MANIFEST = "made-of.json"
_OURS = re.compile(r"\d{8}\.npy|\.(\d{8}\.npy|made-of\.json)\.\d+\.part")
"""Names of parts, and of what a killed process left half-written. All else in the folder is the user's."""
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Parts:
    """The folder of what is done so far."""

    folder: Path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes out of the folder, which is made if it is not there and goes at the end if it is empty.

        Raises:
            BadInput: another process writes the same output, or the folder cannot be made.
        """
        with alone_in(self.folder, waits=False):
            try:
                yield
            finally:
                self._remove_folder()

    def claim(self, made_of: dict[str, str]) -> None:
        """Begin a run in the folder, or take up the one that an equal run left.

        Raises:
            BadInput: it belongs to another run (says what differs), or holds files that no run made.
        """
        manifest = self.folder / _MANIFEST
        if not manifest.exists():
            self._require_ours()
            self._clear()
            write_text(manifest, json.dumps(made_of, indent=1, sort_keys=True) + "\n")
        for torn in self.folder.glob(".*.part"):
            if _OURS.fullmatch(torn.name):
                torn.unlink(missing_ok=True)
        there = read_object(manifest, "remove that folder to start again")
        changed = sorted(key for key in made_of.keys() | there.keys() if made_of.get(key) != there.get(key))
        if changed:
            what = f"the parts here were made with another {', '.join(changed)}"
            mend = "give what they were made with to go on, or remove that folder to start again"
            raise BadInput(what, where=str(self.folder), mend=mend)

    def file(self, number: int) -> Path:
        """Where part `number` lies, or will."""
        return self.folder / f"{number:08}.npy"

    def files(self, number: int) -> list[Path]:
        """The first so many parts."""
        return [self.file(each) for each in range(number)]

    def write(self, number: int, vectors: NDArray[np.float32]) -> None:
        """Write a part whole or not at all, its SHA-256 behind it, where readers of `.npy` do not look."""
        buffer = io.BytesIO()
        np.save(buffer, vectors, allow_pickle=False)
        with atomic_write(self.file(number)) as neighbour:
            neighbour.write_bytes(buffer.getvalue() + hashlib.sha256(buffer.getbuffer()).digest())

    def whole(self, number: int) -> bool:
        """Whether a part is there as it was written."""
        try:
            data = self.file(number).read_bytes()
        except FileNotFoundError:
            return False
        return hashlib.sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]

    def remove(self) -> None:
        """Remove the parts, then their manifest: what is left at any moment can be taken up or started anew.

        The folder goes with them unless it holds anything else.
        """
        self._clear()
        (self.folder / _MANIFEST).unlink(missing_ok=True)
        self._remove_folder()

    def remove_empty(self) -> None:
        """Of a run that claimed the folder: remove what it began if no part of any run is in it."""
        if not any(path.suffix == ".npy" for path in self._ours()):
            self.remove()

    def _remove_folder(self) -> None:
        with suppress(OSError):  # it is gone already, or holds parts or files of the user
            self.folder.rmdir()

    def _clear(self) -> None:
        for path in self._ours():
            path.unlink()

    def _ours(self) -> list[Path]:
        """Parts, whole and torn."""
        there = self.folder.iterdir() if self.folder.is_dir() else ()
        return [path for path in there if _OURS.fullmatch(path.name)]

    def _require_ours(self) -> None:
        """Of a folder without a manifest, whose parts no run can take up.

        Raises:
            BadInput: it holds anything but what a run left half-written.
        """
        others = sorted(path.name for path in self.folder.iterdir() if not path.name.startswith(".") or path.is_dir())
        if others:
            what = f"this folder is not from embed, whose parts would go here: it holds {others[0]!r}"
            raise BadInput(what, where=str(self.folder), mend="move it away, or choose another --out")
