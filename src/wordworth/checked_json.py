"""Read JSON objects in which a missing field is bad input, named with its file, and not a `KeyError`.

Recipes and benchmarks read records of earlier runs through this module. Such a record may be valid JSON and still lack
a field, if another program or an earlier version wrote the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.json_file import read_object


class CheckedObject(dict[str, Any]):
    """A JSON object of a file; `object[name]` raises a `BadInput` where the object has no field of that name.

    `get` and `in` work as for a `dict`.

    Attributes:
        where: the file, for the error.
        path_in_file: the object's place in the file, such as `rows[3]`; "" for the object that is the whole file.
        mend: how to mend a damaged file, for the error.
    """

    __slots__ = ("mend", "path_in_file", "where")

    def __init__(self, fields: dict[str, Any], where: str, path_in_file: str = "", mend: str = FETCH_AGAIN) -> None:
        inside = f"{path_in_file}." if path_in_file else ""
        super().__init__({name: checked(each, where, f"{inside}{name}", mend) for name, each in fields.items()})
        self.where, self.path_in_file, self.mend = where, path_in_file, mend

    def __missing__(self, name: str) -> object:
        """Raise the error for a field that the object lacks: Python calls this method for a missing key.

        Raises:
            BadInput: always.
        """
        inside = f" in {self.path_in_file}" if self.path_in_file else ""
        raise BadInput(f"this file is damaged: no field {name!r}{inside}", where=self.where, mend=self.mend)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs to rebuild the object: the class, and the arguments of `__init__`."""
        return type(self), (dict(self), self.where, self.path_in_file, self.mend)


def checked(
    value: Any,  # noqa: ANN401 - JSON has any type
    where: str,
    path_in_file: str = "",
    mend: str = FETCH_AGAIN,
) -> Any:  # noqa: ANN401
    """Return a parsed JSON value in which every object, at any depth, is a `CheckedObject`.

    Args:
        value: the value, as `json_file.parse_json` returns it.
        where: the file, for the error about a missing field.
        path_in_file: the value's place in the file, such as `rows[3]`; "" if the value is the whole file.
        mend: how to mend a damaged file, for the error.
    """
    if isinstance(value, dict):
        return CheckedObject(value, where, path_in_file, mend)
    if isinstance(value, list):
        return [checked(each, where, f"{path_in_file}[{number}]", mend) for number, each in enumerate(value)]
    return value


def read_checked(path: Path, mend: str = FETCH_AGAIN) -> dict[str, Any]:
    """Return the object that a JSON file holds, as a `CheckedObject`: looking up a missing field raises `BadInput`.

    Args:
        path: the file.
        mend: how to mend a damaged file, for the errors.

    Raises:
        BadInput: the file is missing, not text, not JSON, or holds something other than one object.
    """
    return CheckedObject(read_object(path, mend), str(path), mend=mend)
