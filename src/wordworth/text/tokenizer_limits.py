"""Limits on the rules of an untrusted tokenizer: how much they may lengthen a text, and how long they may run.

The `tokenizers` library runs any regular expression and replacement that a file holds. Some make a text a billion times
longer, some never finish, and some crash the library with an error that is not a Python `Exception`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from threading import Thread
from typing import Any, TypeVar

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.text.hide_panic_messages import hide_panic_messages

_Result = TypeVar("_Result")

_MOST_GROWTH = 16
_LONGEST_NORMAL_FORM = 256
"""Maximal number of bytes that a table may replace one character by; Unicode's own normalisation needs 33 at most."""
_SECONDS, _CHARACTERS_PER_SECOND = 10.0, 10_000
"""Time limit for a text: 10 s, and 1 s for every 10,000 characters, a hundredth of the speed of slow tokenizers."""
_MAY_MATCH_NOTHING = re.compile(r"[*?|^$]|\{0|\\[bBAzZG]")


def check_growth(rules: Mapping[str, Any], where: str) -> None:
    """Check that the rules of a tokenizer do not make a text many times longer.

    Args:
        rules: the content of a `tokenizer.json`.
        where: the path of the `tokenizer.json`, for the error.

    Raises:
        BadInput: the normaliser or decoder lengthens a text more than 16 times.
    """
    for part in ("normalizer", "decoder"):
        if _growth(rules.get(part)) > _MOST_GROWTH:
            what = f"the rules of this {part} make a text more than {_MOST_GROWTH} times as long"
            raise BadInput(what, where=where, mend=FETCH_AGAIN)


def _growth(step: object) -> float:
    """Return the largest factor by which a step can lengthen a text, which may be a single character."""
    if not isinstance(step, dict):
        return 1.0
    match step.get("type"):
        case "Sequence":
            steps = step.get("normalizers", step.get("decoders"))
            return prod(map(_growth, steps)) if isinstance(steps, list) else 1.0
        case "Replace":
            return _replacement_growth(step.get("pattern"), str(step.get("content", "")))
        case "Prepend":
            return 1.0 + len(str(step.get("prepend", "")))
        case "Precompiled":
            return _table_growth(str(step.get("precompiled_charsmap", "")))
    return 1.0


def _replacement_growth(pattern: object, content: str) -> float:
    if not isinstance(pattern, dict) or not content:
        return 1.0
    if "String" in pattern:
        return max(1.0, len(content) / max(1, len(str(pattern["String"]))))
    between = bool(_MAY_MATCH_NOTHING.search(str(pattern.get("Regex", ""))))
    return max(1.0, len(content) + between)


def _table_growth(table: str) -> float:
    """Return 1.0 if no entry of a normalisation table (base64) has more than 256 bytes, else infinity."""
    try:
        data = base64.b64decode(table)
    except ValueError:
        return 1.0  # not a table: the library reports it
    forms = data[4 + int.from_bytes(data[:4], "little") :]
    return 1.0 if max(map(len, forms.split(b"\0"))) <= _LONGEST_NORMAL_FORM else float("inf")


@contextmanager
def translate_panics(where: str) -> Iterator[None]:
    """Raise failures of the `tokenizers` library inside the `with` statement as a `BadInput`.

    The library fails with panics and bare `Exception`s on rules that it cannot run.

    Args:
        where: the path of the tokenizer, for the error.

    Raises:
        BadInput: the library failed.
    """
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException" and type(error) is not Exception:
            raise
        what = f"the tokenizers library breaks on the rules of this tokenizer: {str(error).partition(chr(10))[0]}"
        raise BadInput(what, where=where, mend=FETCH_AGAIN) from error


def run_with_time_limit(call: Callable[[], _Result], characters: int, where: str) -> _Result:
    """Run a call of the `tokenizers` library under a time limit, and return its result.

    The call has a thread of its own, since nothing can stop the library: a call that never ends occupies that thread
    until the process exits.

    Args:
        call: the function to call.
        characters: number of characters of the text to tokenize, which decides the limit.
        where: the path of the tokenizer, for the error.

    Raises:
        BadInput: the call does not finish in time, or the library fails.
    """
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    with translate_panics(where), hide_panic_messages():
        thread.start()
        thread.join(_SECONDS + characters / _CHARACTERS_PER_SECOND)
        for error in errors:
            raise error
    if not results:
        what = f"the regular expressions of this tokenizer do not finish on a text of {characters:,} characters"
        raise BadInput(what, where=where, mend=FETCH_AGAIN)
    return results[0]
