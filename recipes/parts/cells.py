"""Work in cells that several processes share: start the same command as often as there are cores.

Each process takes what nobody else is at. A cell that is done is a file; one that was killed is taken up by the next
process that asks, since a lock goes with the process that held it.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import no_empty_folders, sha256, write_text
from wordworth.json_file import read_object
from wordworth.progress import SILENT, Progress
from wordworth.sources import resolve

_PAUSE_S = 0.2


@dataclass(frozen=True, slots=True)
class Cell:
    """One piece of work.

    Attributes:
        name: the name for `--only`: stage, model, task and seed between slashes.
        made: the file that marks the cell as done; `make` writes it last.
        make: does the work, or resumes it.
        needs: files of other cells that must exist before the work can begin.
    """

    name: str
    made: Path
    make: Callable[[], object]
    needs: Sequence[Path] = ()

    @property
    def ready(self) -> bool:
        """True if all files in `needs` exist."""
        return all(path.exists() for path in self.needs)


def chosen(cells: Sequence[Cell], only: Sequence[str]) -> list[Cell]:
    """Return the cells whose names match one of the patterns; all cells without patterns.

    Raises:
        BadInput: no cell matches, or there are none.
    """
    if not cells:
        raise BadInput("there is nothing to do", mend="ask for another stage, or for more arms, tasks or seeds")
    matching = [cell for cell in cells if not only or any(fnmatch(cell.name, pattern) for pattern in only)]
    if not matching:
        raise BadInput(f"no cell is called {' or '.join(only)}", mend=f"the first is {cells[0].name}")
    return matching


def work(cells: Sequence[Cell], progress: Progress = SILENT) -> None:
    """Make all cells, earlier ones first, and return when all are done, by this process or others beside it.

    Raises:
        BadInput: the cells that remain need files that no cell makes.
    """
    left = [cell for cell in cells if not cell.made.exists()]
    while left:
        one_is_done = any(_done_here(cell, progress) for cell in left)
        left = [cell for cell in left if not cell.made.exists()]
        if left and not one_is_done:
            _check(left, cells)
            time.sleep(_PAUSE_S)


def _done_here(cell: Cell, progress: Progress) -> bool:
    """Make a cell if it is ready and no other process has claimed it; return whether it was made."""
    if cell.made.exists() or not cell.ready:
        return False
    with _claimed(cell.made) as is_ours:
        if not is_ours or cell.made.exists():
            return False
        progress.note(cell.name)
        cell.make()
        return True


def _check(left: Sequence[Cell], cells: Sequence[Cell]) -> None:
    """Raise `BadInput` if a cell needs a file that no cell makes."""
    coming = {cell.made for cell in cells}
    for cell in left:
        missing = [path for path in cell.needs if not path.exists() and path not in coming]
        if missing:
            raise BadInput(f"{cell.name} needs {missing[0]}", mend="let the stage before run first")


@contextmanager
def _claimed(made: Path) -> Iterator[bool]:
    """Try to lock a cell; yield whether this process has it. Never waits."""
    lock = made.with_name(f".{made.name}.lock")
    with no_empty_folders(*reversed(made.parents)):
        made.parent.mkdir(parents=True, exist_ok=True)
        with lock.open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            try:
                yield True
            except BadInput:
                lock.unlink(missing_ok=True)
                raise


def deciding_settings(options: argparse.Namespace, names: Sequence[str], files: Sequence[str]) -> dict[str, object]:
    """Return the settings that decide every run, apart from its seed: for `keep_to`.

    Args:
        options: the command line; its `model` is a folder or name, or None for a model that is made anew.
        names: options that decide by their values.
        files: options that name a file, which decides by its content.

    Returns:
        Name of each option -> its value or the SHA-256 of its file; `model` -> the SHA-256 of its weights, or None.

    Raises:
        BadInput: a file is missing, or is a folder.
    """
    for name in files:
        if getattr(options, name).is_dir():
            raise BadInput("this is a folder", where=str(getattr(options, name)), mend=f"give a file with --{name}")
    plain = {name: getattr(options, name) for name in names}
    weights = sha256(resolve(options.model).folder / "model.safetensors") if options.model else None
    return {**plain, **{name: sha256(getattr(options, name)) for name in files}, "model": weights}


def keep_to(folder: Path, settings: Mapping[str, object], option: str = "--out") -> None:
    """Write the settings that decide a folder's cells, or check that they equal those that the folder has already.

    Args:
        folder: the folder.
        settings: the settings.
        option: the option that names the folder, for the error.

    Raises:
        BadInput: the folder's cells were made with other settings.
    """
    path, text = folder / "settings.json", json.dumps(settings, indent=1, sort_keys=True) + "\n"
    if not path.exists():
        write_text(path, text)
    was = read_object(path)
    other = sorted(name for name in {*was, *settings} if was.get(name) != json.loads(text).get(name))
    if other:
        difference = f"what is here was made with another {other[0]}: {was.get(other[0])}"
        raise BadInput(difference, where=str(folder), mend=f"choose another {option}")


def forget(folder: Path) -> None:
    """Remove the settings of a folder none of whose cells is done, and the folder if nothing else is in it."""
    (folder / "settings.json").unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()
