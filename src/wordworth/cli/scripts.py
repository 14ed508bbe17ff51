"""Functions that recipes and benchmarks share: exit codes, and reading the record of an earlier run to resume it."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from wordworth.checked_json import CheckedObject, read_checked
from wordworth.cli.app import INTERRUPTED
from wordworth.cli.main_process_output import say
from wordworth.errors import BadInput, WordworthError
from wordworth.files import require_writable
from wordworth.json_file import json_kind, parse_json, read_text, require_fields

T = TypeVar("T", dict[str, Any], list[dict[str, Any]])
_BAD_INPUT = 2
_ANOTHER_LINE = "remove this line, or give another file"


def run_script(main: Callable[[], object]) -> NoReturn:
    """Run a script and exit: 0 on success, 2 for bad input, 130 when interrupted; bugs keep their traceback.

    Bad input is one line on standard error.

    Args:
        main: the script; it reads the command line.
    """
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(_report("stopped", INTERRUPTED))
    except (WordworthError, OSError, subprocess.CalledProcessError) as error:
        message = _message(error)
        if message is None:
            raise
        sys.exit(_report(message, _BAD_INPUT))
    sys.exit(0)


def writable_path(text: str) -> Path:
    """Return the value of an argparse option, such as --out, as the path of a file that the script writes at its end.

    The path is checked at once, so that a script does not fail after hours of work.

    Raises:
        ArgumentTypeError: the folder of the path cannot be written.
    """
    path = Path(text)
    try:
        require_writable(path.parent)
    except BadInput as error:
        raise argparse.ArgumentTypeError(error.in_flags) from error
    return path


def recorded_part(out: Path | None, name: str, kind: type[T]) -> T:
    """Return a part of the record of an earlier run, which a script resumes; an empty part if there is no record.

    Args:
        out: file of the record; None if the script writes none.
        name: name of the part in the record.
        kind: type of the part, `dict` or `list`.

    Raises:
        BadInput: the file is damaged, or has no such part.
    """
    return kind() if out is None or not out.exists() else part_of_record(out, name, kind, "give another --out")


def part_of_record(record: Path, name: str, kind: type[T], mend: str = "give another record") -> T:
    """Return a part of a record; looking up a field that an object in the part lacks raises `BadInput`.

    Args:
        record: file of the record.
        name: name of the part in the record.
        kind: type of the part, `dict` or `list`.
        mend: how to mend a damaged file, for the error.

    Raises:
        BadInput: the file is missing or damaged, or has no such part.
    """
    values = read_checked(record, mend)
    require_fields(values, {name: kind}, str(record), mend)
    part: T = values[name]
    return part


def recorded_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON Lines, which a script resumes; an empty list if there is no file.

    Looking up a field that an object lacks raises `BadInput`.

    Raises:
        BadInput: a line is not a JSON object; the error names the line.
    """
    lines = read_text(path, _ANOTHER_LINE).splitlines() if path.exists() else []
    return [_object(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        value = parse_json(line)
    except ValueError as error:
        raise BadInput(f"this line is not JSON: {error}", where=where, mend=_ANOTHER_LINE) from error
    if not isinstance(value, dict):
        raise BadInput(f"this line holds {json_kind(value)}, not an object", where=where, mend=_ANOTHER_LINE)
    return CheckedObject(value, where, mend=_ANOTHER_LINE)


def _message(error: Exception) -> str | None:
    """Return the message of an error for the user; None if the error is a bug, which keeps its traceback."""
    match error:
        case WordworthError():
            return error.in_flags
        case FileNotFoundError(filename=str() as name):
            return f"{name}: no such file or folder; check the path ($WORDWORTH_DATA is the folder of data sets)"
        case OSError():
            name = f"{error.filename}: " if error.filename else ""
            return f"{name}{(error.strerror or str(error)).lower()}"
        case subprocess.CalledProcessError(returncode=2):  # it has written its own line, unless that was captured
            captured = (error.stderr if isinstance(error.stderr, str) else "").strip()
            last = captured.rpartition("\n")[2].removeprefix(f"{sys.argv[0]}: ")
            return last or "a process of this script was given bad input"
    return None


def _report(message: str, code: int) -> int:
    say(f"{sys.argv[0]}: {' '.join(message.split())}", err=True)
    return code
