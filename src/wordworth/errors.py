"""The errors that Wordworth raises on purpose, and hints for misspelt names.

    WordworthError          anything we raise on purpose
    ├── BadInput            what the user gave cannot be used: the command line prints it and exits 2; a ValueError too
    │   ├── MissingExtra    an optional dependency is not installed
    │   └── NotFound        no such name; a LookupError too
    └── NotEnoughMemory     the machine ran out; says what to make smaller

Everything else is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

FETCH_AGAIN = "fetch the file again, or run again what made it"
"""How to mend a damaged model file, published or one's own."""
_SURE, _NEAR, _NEAR_SHORT, _SHORT, _BEGINNING = 0.8, 0.7, 0.6, 4, 3
"""Least `difflib` similarity of a sure misspelling, of a likely one, of one among short names; how many letters
a short name has at most, and how many a beginning has at least."""
_MOST_LISTED = 40
"""Most names that an error lists."""
_FLAG = re.compile(r"`[^`]*`|\b(?:pip|torchrun|wordworth) [^;,)]*|(?<![\w'\"/-])--([a-z][a-z-]*)")
"""An option of the command line, as group 1; commands that a user is to type are matched whole, without a group."""


class WordworthError(Exception):
    """An error with three parts: what happened, where, and how to mend it.

    The parts name an option by its flag (`--text-b`), and so does the command line, which prints `in_flags`; as a
    string, which a caller in Python reads, the error names the keyword (`text_b`).
    """

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        self.what, self.where, self.mend = what, where, mend
        super().__init__(str(self))

    def __str__(self) -> str:
        return in_keywords(self.in_flags)

    @property
    def in_flags(self) -> str:
        """The message for a user of the command line."""
        prefix = f"{self.where}: " if self.where else ""
        suffix = f"; {self.mend}" if self.mend else ""
        return f"{prefix}{self.what}{suffix}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Unpickle without calling `__init__`, whose arguments differ from class to class."""
        return _restored, (type(self), self.args, self.__dict__)


def in_keywords(text: str) -> str:
    """Return a text that names options by their flags with the keywords of Python in their place.

    >>> in_keywords("give --text-b, or leave --no-distil out")
    'give `text_b`, or leave `distil` out'
    """
    return _FLAG.sub(_keyword, text)


def _keyword(match: re.Match[str]) -> str:
    flag = match[1]
    return f"`{flag.removeprefix('no-').replace('-', '_')}`" if flag else match[0]


def _restored(kind: type[WordworthError], args: tuple[object, ...], state: dict[str, Any]) -> WordworthError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class BadInput(WordworthError, ValueError):
    """The user's input cannot be used as it is. A `ValueError` too, as other libraries raise."""


class MissingExtra(BadInput):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        mend = f"pip install {package}, or in Wordworth's own folder pip install '.[{extra}]'"
        super().__init__(f"this needs {package}, which is not installed", mend=mend)


def require_package(package: str, extra: str) -> None:
    """Make sure that an optional dependency is installed, without importing it.

    Raises:
        MissingExtra: it is not.
    """
    if find_spec(package) is None:
        raise MissingExtra(package, extra)


class NotFound(BadInput, LookupError):
    """A name that is not among the known ones."""


class NotEnoughMemory(WordworthError):
    """The machine ran out of memory."""


class LongTextWarning(UserWarning):
    """A warning that texts exceed an encoder's window, and that the caller did not choose how to read long texts."""


class ZeroVectorWarning(UserWarning):
    """A warning that texts have a vector of zeros, as a static table knows no word of them."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return a hint for a misspelt name as words: the nearest choice, or the list of choices if none is near.

    >>> nearest("lable", ["text", "label"]), nearest("learning_rate", ["learn_from", "rate"])
    ("did you mean 'label'?", "did you mean 'rate'?")
    >>> nearest("text", ["label", "text_a", "text_b"])
    "did you mean 'text_a' or 'text_b'?"
    """
    known = list(choices)
    if not known:
        return "none is available"
    match = likeliest(word, known)
    if match is not None:
        return f"did you mean {' or '.join(map(repr, _as_like(word, match, known)))}?"
    listed = ", ".join(repr(choice) for choice in known[:_MOST_LISTED])
    more = f" and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
    return f"available: {listed}{more}"


def nearest_of_few(word: str, choices: Iterable[str]) -> str:
    """Return a hint as `nearest` does, always with all of the choices, which are few.

    >>> nearest_of_few("float16", ["float32", "bfloat16"])
    "did you mean 'bfloat16'? (available: 'float32', 'bfloat16')"
    """
    known = list(choices)
    hint = nearest(word, known)
    return hint if hint.startswith("available") else f"{hint} (available: {', '.join(map(repr, known))})"


def likeliest(word: str, choices: Sequence[str]) -> str | None:
    """Return the choice that a word most likely means, or None if no choice is like the word.

    A choice is like the word if the word may be a misspelling of the choice, if one has all parts of the other and more
    (`batch_size` and `batch`), or if the word is its beginning (`acc` and `accuracy`).
    """
    plain = {_plain(choice): choice for choice in reversed(choices)}  # where two differ in case alone, the first wins
    wanted = _plain(word)
    sure = difflib.get_close_matches(wanted, plain, n=1, cutoff=_SURE)
    parts = set(wanted.split("_"))
    within = [name for name in plain if parts < set(name.split("_")) or parts > set(name.split("_"))]
    longer = [name for name in plain if len(wanted) >= _BEGINNING and name.startswith(wanted)]
    likely = difflib.get_close_matches(wanted, plain, n=1, cutoff=_NEAR if len(wanted) > _SHORT else _NEAR_SHORT)
    match = next(iter([*sure, *sorted(within, key=len, reverse=True), *likely, *longer]), None)
    return None if match is None else plain[match]


def _as_like(word: str, match: str, choices: Sequence[str]) -> list[str]:
    """Return the choices that are as like a word as its match: as long, and with all of the word's parts and more."""
    parts = set(_plain(word).split("_"))
    alike = [name for name in choices if len(name) == len(match) and parts < set(_plain(name).split("_"))]
    return alike if match in alike else [match]


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")
