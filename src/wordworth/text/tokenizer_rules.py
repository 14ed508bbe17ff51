"""The rules of a stranger's tokenizer: bounded in what they make of a text, and in the time that they take.

The `tokenizers` library runs whatever patterns and replacements a file holds: some make a text a billion times as long,
some try without end, and of some the library itself breaks with an error that is no Python `Exception`.
"""

from __future__ import annotations

import base64
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from threading import Thread
from typing import Any, TypeVar

from wordworth.errors import FETCH_AGAIN, BadInput

_Result = TypeVar("_Result")

_MOST_GROWTH = 16
_LONGEST_NORMAL_FORM = 256
"""Bytes that one character may become by a table; by Unicode's own it is 33."""
_SECONDS, _CHARACTERS_A_SECOND = 10.0, 10_000
"""What a text may take: slow tokenizers read a hundred times as many characters a second."""
_STDERR = 2
_MAY_MATCH_NOTHING = re.compile(r"[*?|^$]|\{0|\\[bBAzZG]")


def check_growth(rules: Mapping[str, Any], where: str) -> None:
    """Refuse rules that make a text many times as long.

    Args:
        rules: what a `tokenizer.json` holds.
        where: its path.

    Raises:
        BadInput: they do.
    """
    for part in ("normalizer", "decoder"):
        if _growth(rules.get(part)) > _MOST_GROWTH:
            what = f"the rules of this {part} make a text more than {_MOST_GROWTH} times as long"
            raise BadInput(what, where=where, mend=FETCH_AGAIN)


def _growth(step: object) -> float:
    """How many times as long a text may be after a step, one with a single character included."""
    if not isinstance(step, dict):
        return 1.0
    match step.get("type"):
        case "Sequence":
            steps = step.get("normalizers", step.get("decoders"))
            return prod(map(_growth, steps)) if isinstance(steps, list) else 1.0
        case "Replace":
            return _replacement(step.get("pattern"), str(step.get("content", "")))
        case "Prepend":
            return 1.0 + len(str(step.get("prepend", "")))
        case "Precompiled":
            return _of_table(str(step.get("precompiled_charsmap", "")))
    return 1.0


def _replacement(pattern: object, content: str) -> float:
    if not isinstance(pattern, dict) or not content:
        return 1.0
    if "String" in pattern:
        return max(1.0, len(content) / max(1, len(str(pattern["String"]))))
    between = bool(_MAY_MATCH_NOTHING.search(str(pattern.get("Regex", ""))))
    return max(1.0, len(content) + between)


def _of_table(table: str) -> float:
    """1 of a table of characters and what they become where all that they become is short."""
    try:
        data = base64.b64decode(table)
    except ValueError:
        return 1.0  # no table: the library says so
    forms = data[4 + int.from_bytes(data[:4], "little") :]
    return 1.0 if max(map(len, forms.split(b"\0"))) <= _LONGEST_NORMAL_FORM else float("inf")


@contextmanager
def no_panic(where: str) -> Iterator[None]:
    """Turn what the library raises of rules that it cannot follow into words: its panics, and its bare `Exception`s.

    Raises:
        BadInput: the library broke.
    """
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException" and type(error) is not Exception:
            raise
        what = f"the tokenizers library breaks on the rules of this tokenizer: {str(error).partition(chr(10))[0]}"
        raise BadInput(what, where=where, mend=FETCH_AGAIN) from error


@contextmanager
def panics_unheard() -> Iterator[None]:
    """Keep what the library itself prints of a panic off the standard error, where only its own words belong.

    Such lines go past Python, so for so long nothing of the process is heard there.
    """
    if sys.stderr is None:  # closed before this process began
        yield
        return
    sys.stderr.flush()
    kept, nowhere = os.dup(_STDERR), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STDERR)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def within_time(call: Callable[[], _Result], characters: int, where: str) -> _Result:
    """The result of a call that reads so many characters, if it comes in time.

    The call has a thread of its own, since nothing can stop the library: where it does not end, that thread goes on
    for as long as the process does.

    Raises:
        BadInput: it does not end in time, or the library breaks.
    """
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(_SECONDS + characters / _CHARACTERS_A_SECOND)
    with no_panic(where):
        for error in errors:
            raise error
    if not results:
        what = f"the patterns of this tokenizer do not come to an end on a text of {characters:,} characters"
        raise BadInput(what, where=where, mend=FETCH_AGAIN)
    return results[0]
