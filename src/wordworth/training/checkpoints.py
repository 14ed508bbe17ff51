"""Checkpoints of a run on disk: written atomically, verified by a hash, the newest intact one loaded to resume."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from wordworth.files import sha256, unwritable
from wordworth.progress import SILENT
from wordworth.sync_to_disk import make_folder, sync

Note = Callable[[str], None]
"""A callback that shows a message to the user."""
_NAME = re.compile(r"step-(\d{9})\.([0-9a-f]{16})\.pt")


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The checkpoints of one run in a folder.

    Each file's name holds its step and the beginning of the SHA-256 of its bytes, so that a damaged file is recognised
    before it is loaded.

    Attributes:
        folder: a folder that holds nothing but checkpoints; it is made when the first checkpoint is written.
        keep: number of checkpoints that are kept; the oldest is removed after a new one is written.
    """

    folder: Path
    keep: int = 2

    def write(self, step: int, state: dict[str, Any]) -> Path:
        """Write the state of a run into a new file, and return the file's path.

        Args:
            step: number of steps done.
            state: the state, which `torch.save` can write.

        Raises:
            BadInput: the disk is full or the folder cannot be written; all older checkpoints are still there.
        """
        part = self.folder / f".step-{step:09}.{os.getpid()}.part"
        try:
            make_folder(self.folder)
            with part.open("wb") as file:
                save(state, file)
                file.flush()
                os.fsync(file.fileno())
            target = self.folder / f"step-{step:09}.{sha256(part)[:16]}.pt"
            part.replace(target)
            sync(self.folder)
        except OSError as error:
            raise unwritable(error, self.folder) from error
        finally:
            with suppress(OSError):
                part.unlink()
        self._prune(step, target)
        return target

    def latest(self, note: Note = SILENT.note) -> tuple[int, dict[str, Any]] | None:
        """Return the newest intact checkpoint as (step, state), or None if no checkpoint is intact.

        Damaged files are reported through `note`, skipped, and left where they are.
        """
        damaged = 0
        for step, digest, path in self._newest_first():
            if sha256(path).startswith(digest):
                if damaged:
                    note(f"{self.folder}: the older checkpoint after step {step:,} is used")
                return step, torch.load(path, map_location="cpu", weights_only=True)
            note(f"{path}: this checkpoint is damaged")
            damaged += 1
        if damaged:
            note(f"{self.folder}: no checkpoint is sound; the run begins anew")
        return None

    def _newest_first(self) -> Iterator[tuple[int, str, Path]]:
        """Yield the step, digest and path of each checkpoint file, the newest first."""
        matches = [(_NAME.fullmatch(path.name), path) for path in self.folder.glob("step-*.pt")]
        steps = [(int(match[1]), match[2], path) for match, path in matches if match]
        yield from sorted(steps, reverse=True)

    def _prune(self, step: int, newest: Path) -> None:
        """Remove all but the newest `keep` checkpoints, and the partial files of killed processes; never `newest`.

        Files of later steps than `step` are removed first: `latest` skipped them as damaged, so the run has resumed at
        an earlier step. Steps and not file times decide, since a clock can be set back.
        """
        others = [(number <= step, number, path) for number, _, path in self._newest_first() if path != newest]
        old = sorted(others)[: max(0, len(others) + 1 - self.keep)]
        for path in (*(path for _, _, path in old), *self.folder.glob(".step-*.part")):
            with suppress(OSError):
                path.unlink()


def save(state: Mapping[str, Any], file: Any) -> None:  # noqa: ANN401 - any binary file
    """Call `torch.save`, but raise the file's own error (such as a full disk), which torch would hide.

    Args:
        state: what is saved.
        file: a path, or an open file.

    Raises:
        OSError: the bytes cannot be written.
    """
    try:
        torch.save(state, file)
    except RuntimeError as error:  # torch's writer says so when the file under it cannot take its bytes
        if isinstance(error.__context__, OSError):
            raise error.__context__ from error
        raise
