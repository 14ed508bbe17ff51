"""Read text and JSON files that may be damaged or foreign, with one clear error that names the file and the fault."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.files import require_regular

MOST_LEVELS = 100
"""Deepest nesting of arrays and objects that is accepted, so that recursion over a parsed value is safe."""
HALF_A_PAIR = "half of a surrogate pair (\\ud800 to \\udfff)"
"""The character for which `parse_json` raises a `UnicodeEncodeError`, in words for messages."""
_PLAIN = json.JSONDecoder()
_FOREIGN = {
    b"\x80": "a pickle",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"version https://git-lfs": "a Git LFS pointer, the file itself was never fetched",
}


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return the sorted names whose values differ between two mappings; a missing name counts as the value None.

    Args:
        first: name -> value.
        second: name -> value.
    """
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def parse_json(text: str | bytes, decoder: json.JSONDecoder = _PLAIN, *, names: bool = False) -> Any:  # noqa: ANN401 - JSON has any type
    """Parse a JSON text and return its value.

    Args:
        text: the JSON text, as characters or as UTF-8 bytes.
        decoder: the decoder, which decides what Python values JSON numbers and objects become.
        names: whether the text may hold file names with bytes that are not UTF-8, in the escapes of `files.write_text`.

    Raises:
        ValueError: `text` is not JSON or is nested deeper than `MOST_LEVELS`.
        UnicodeEncodeError: `text` holds half of a surrogate pair; this class is a `ValueError` too.
    """
    characters = text.decode("utf-8") if isinstance(text, bytes) else text
    try:
        value = decoder.decode(characters)
    except RecursionError as error:
        raise _too_deep() from error
    if characters.count("[") + characters.count("{") > MOST_LEVELS:
        _check_levels(value)
    if "\\u" in characters:
        json.dumps(value, ensure_ascii=False).encode(errors="surrogateescape" if names else "strict")
    return value


def read_text(path: Path, mend: str = FETCH_AGAIN) -> str:
    """Return the text of a UTF-8 file, without a leading byte order mark.

    Args:
        path: the file.
        mend: how to mend a damaged file, for the error.

    Raises:
        BadInput: the file is missing, not a regular file, or not UTF-8 text (the error names the line and byte).
    """
    require_regular(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"cannot read: {reason}", where=str(path), mend="check the path") from error
    for start, what in _FOREIGN.items():
        if data.startswith(start):
            raise BadInput(f"this is {what}, not text", where=str(path), mend=mend)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"line {line} is not UTF-8 (byte 0x{data[error.start]:02x} at position {error.start})"
        raise BadInput(what, where=str(path), mend=f"save the file as UTF-8, or {mend}") from error


def read_json(path: Path, mend: str = FETCH_AGAIN) -> Any:  # noqa: ANN401 - JSON has any type
    """Return the value that a JSON file holds.

    Args:
        path: the file.
        mend: how to mend a damaged file, for the error.

    Raises:
        BadInput: the file is missing, not text, or not JSON.
    """
    text = read_text(path, mend)
    try:
        return parse_json(text, names=True)
    except UnicodeEncodeError as error:
        raise BadInput(f"this file holds {HALF_A_PAIR}", where=str(path), mend=mend) from error
    except ValueError as error:
        raise BadInput(f"not a whole JSON file: {error}", where=str(path), mend=mend) from error


def read_object(path: Path, mend: str = FETCH_AGAIN) -> dict[str, Any]:
    """Return the object that a JSON file holds, as a dict.

    Args:
        path: the file.
        mend: how to mend a damaged file, for the error.

    Raises:
        BadInput: the file is missing, not text, not JSON, or holds something other than one object.
    """
    value = read_json(path, mend)
    if not isinstance(value, dict):
        raise BadInput(f"holds {json_kind(value)}, not a JSON object", where=str(path), mend=mend)
    return value


def require_fields(raw: Mapping[str, Any], kinds: Mapping[str, type | UnionType], where: str, mend: str) -> None:
    """Check that a parsed JSON object has all required fields, each with a value of the required type.

    A truth value does not count as a number, although Python's `bool` is an `int`.

    Args:
        raw: the parsed object.
        kinds: name of a required field -> its type.
        where: the file, for the error.
        mend: how to mend a damaged file, for the error.

    Raises:
        BadInput: a field is missing or of another type; the error names the field.
    """
    for name, kind in kinds.items():
        value = raw.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            what = f"{name!r} is {value!r:.60}" if name in raw else f"no field {name!r}"
            raise BadInput(f"this file is damaged: {what}", where=where, mend=mend)


def json_kind(value: object) -> str:
    """Return the type of a parsed JSON value in words, for error messages.

    >>> json_kind([1]), json_kind(None), json_kind(2.5)
    ('an array', 'null', 'a single value')
    """
    kinds = {list: "an array", dict: "an object", type(None): "null"}
    return kinds.get(type(value), "a single value")


def _check_levels(value: object) -> None:
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [child for parent in level for child in _children(parent) if isinstance(child, dict | list | tuple)]
        if not level:
            return
    raise _too_deep()


def _children(parent: object) -> Any:  # noqa: ANN401 - a view of any values
    return parent.values() if isinstance(parent, dict) else parent


def _too_deep() -> ValueError:
    return ValueError(f"arrays or objects are nested deeper than {MOST_LEVELS} levels")
