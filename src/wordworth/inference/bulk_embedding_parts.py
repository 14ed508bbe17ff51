"""`PartsFolder`: the folder in which `embed` stores finished parts, so that a run that was stopped resumes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.array_cache import is_intact, write_arrays
from wordworth.errors import BadInput
from wordworth.files import atomic_write, write_text
from wordworth.folder_lock import alone_in
from wordworth.json_file import differing, read_object

_MANIFEST = "made-of.json"
_REMOVE = "remove that folder to start again"
_OURS = re.compile(r"\d{8}\.npy|\.(\d{8}\.npy|made-of\.json)\.\d+\.part")
"""File names of parts and of half-written files of a killed process. All other files in the folder are the user's."""


@dataclass(frozen=True, slots=True)
class PartsFolder:
    """The folder in which a run saves the vectors of one output file until all are computed.

    A part is a `.npy` with the vectors of consecutive rows, float32 [rows, width]. A manifest in the folder says what
    the run was started with.

    Attributes:
        folder: path of the folder.
        can_move: whether the user may choose another folder with --out, for the message of a locked folder.
    """

    folder: Path
    can_move: bool = True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for this process inside a `with` block.

        The folder is created if it is missing, and removed at the end of the block if it is empty.

        Raises:
            BadInput: another process writes the same output, or the folder cannot be made.
        """
        with alone_in(self.folder, waits=False, can_move=self.can_move):
            try:
                yield
            finally:
                self._remove_folder()

    def start_or_resume(self, made_of: dict[str, str], *, anew: bool = False) -> list[str]:
        """Start a run in the folder, or resume a stopped run with the same `made_of` (input, model, settings).

        Args:
            made_of: name -> value of everything that the vectors depend on to the last bit.
            anew: whether to remove what a different run saved in the folder, rather than to raise.

        Returns:
            The names whose values differ between `made_of` and the run whose vectors were removed; empty if no vectors
            were removed.

        Raises:
            BadInput: the folder belongs to a different run (the message names the difference), or holds a file that no
                run wrote.
        """
        stored = self.made_of()
        changed = [] if stored is None else differing(made_of, stored)
        if "model" in changed:  # which decides the kernel
            changed = [name for name in changed if name != "kernel"]
        removed = changed if self._has_parts() else []
        if removed and not anew:
            what = f"the parts here were made with another {', '.join(removed)}"
            mend = "give what they were made with to go on, or --overwrite to start again"
            raise BadInput(what, where=str(self.folder), mend=mend)
        manifest = self.folder / _MANIFEST
        if stored is None:
            self._require_ours()
        elif changed and not stored.keys() & made_of.keys():
            raise self._foreign(_MANIFEST)
        if stored is None or changed:
            self._clear()
            write_text(manifest, json.dumps(made_of, indent=1, sort_keys=True) + "\n")
        for torn in self.folder.glob(".*.part"):
            if _OURS.fullmatch(torn.name):
                torn.unlink(missing_ok=True)
        return removed

    def made_of(self) -> dict[str, Any] | None:
        """Return what the run in this folder was started with, as name -> value: input, model and settings.

        The result is None if no run was started.
        """
        manifest = self.folder / _MANIFEST
        return dict(read_object(manifest, _REMOVE)) if manifest.exists() else None

    def file(self, number: int) -> Path:
        """Return the path of the file of vectors with this number, counted from 0."""
        return self.folder / f"{number:08}.npy"

    def files(self, number: int) -> list[Path]:
        """Return the paths of the first `number` files of vectors, in order."""
        return [self.file(index) for index in range(number)]

    def write(self, number: int, vectors: NDArray[np.float32]) -> None:
        """Write the vectors of consecutive texts atomically to a `.npy` file, and their SHA-256 after the array.

        `np.load` ignores the SHA-256.

        Args:
            number: number of the file in the folder, from 0.
            vectors: float32 [rows, width].
        """
        with atomic_write(self.file(number)) as neighbour:
            write_arrays(neighbour, vectors)

    def is_intact(self, number: int) -> bool:
        """Return whether the file of vectors with this number (from 0) exists and is undamaged."""
        try:
            with self.file(number).open("rb") as file:
                return is_intact(file)
        except FileNotFoundError:
            return False

    def remove(self) -> None:
        """Remove the files of vectors, then the manifest that says what they were made of.

        The manifest goes last, so that a run can restart if this process is stopped meanwhile. The folder is removed
        too unless it holds anything else.
        """
        self._clear()
        (self.folder / _MANIFEST).unlink(missing_ok=True)
        self._remove_folder()

    def remove_empty(self) -> None:
        """Remove what `start_or_resume` wrote, the manifest and the folder, if no vectors were saved."""
        if not self._has_parts():
            self.remove()

    def _remove_folder(self) -> None:
        with suppress(OSError):  # it is gone already, or holds parts or files of the user
            self.folder.rmdir()

    def _has_parts(self) -> bool:
        return any(path.suffix == ".npy" for path in self._ours())

    def _clear(self) -> None:
        for path in self._ours():
            path.unlink()

    def _ours(self) -> list[Path]:
        """Return the paths of the parts in the folder, whole and half-written."""
        entries = self.folder.iterdir() if self.folder.is_dir() else ()
        return [path for path in entries if _OURS.fullmatch(path.name)]

    def _require_ours(self) -> None:
        """Check a folder without a manifest, whose parts no run can resume.

        Raises:
            BadInput: the folder holds anything but half-written files of a run.
        """
        others = sorted(path.name for path in self.folder.iterdir() if not path.name.startswith(".") or path.is_dir())
        if others:
            raise self._foreign(others[0])

    def _foreign(self, name: str) -> BadInput:
        """Return the error for a folder that holds a file of the user."""
        what = f"this folder is not from embed, which would write its parts here: it holds {name!r}"
        return BadInput(what, where=str(self.folder), mend="move it away, or choose another --out")
