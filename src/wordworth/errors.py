"""The errors that Wordworth raises on purpose, and hints for misspelt names.

    WordworthError          anything we raise on purpose
    ├── BadInput            the user's input cannot be used: the command line prints it and exits 2; a ValueError too
    │   ├── MissingExtra    an optional dependency is not installed
    │   └── NotFound        no such name; a LookupError too
    └── NotEnoughMemory     the machine ran out of memory; the message says what to make smaller

Everything else is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

FETCH_AGAIN = "fetch the file again, or run again what made it"
"""How to mend a damaged model file, whether it was downloaded or made by the user."""
_SURE, _NEAR, _NEAR_SHORT, _SHORT, _BEGINNING = 0.8, 0.7, 0.6, 4, 3
"""Least `difflib` similarity of a certain misspelling, of a likely one, and of a likely one of a short name; then the
most letters of a short name, and the fewest letters by which `likeliest` recognises the beginning of a name."""
_MOST_LISTED = 40
"""Most names that an error lists."""
_FLAG = re.compile(r"`[^`]*`|\b(?:pip|torchrun|wordworth) [^;,)]*|(?<![\w'\"/-])--([a-z][a-z-]*)")
"""An option of the command line, as group 1; code in backquotes and whole commands are matched without a group."""


class WordworthError(Exception):
    """An error with three parts: what happened, where, and how to mend it.

    Code that raises the error names an option by its flag (`--text-b`). The command line prints `in_flags`, the message
    with flags. For callers in Python, `str(error)` names the keyword (`text_b`) instead.

    Args:
        what: what happened.
        where: the file, row or option at fault; empty if nothing can be named.
        mend: how to mend it; empty if unknown.
    """

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        self.what, self.where, self.mend = what, where, mend
        super().__init__(str(self))

    def __str__(self) -> str:
        return in_keywords(self.in_flags)

    @property
    def in_flags(self) -> str:
        """The message for a user of the command line, which names options by their flags."""
        prefix = f"{self.where}: " if self.where else ""
        suffix = f"; {self.mend}" if self.mend else ""
        return f"{prefix}{self.what}{suffix}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs to rebuild the error without `__init__`, whose arguments vary by class."""
        return _restored, (type(self), self.args, self.__dict__)


def in_keywords(text: str) -> str:
    """Return `text` with each command line flag replaced by the keyword argument of the same option.

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
    """The user's input cannot be used as it is. Also a `ValueError`, which other libraries raise for such input."""


class MissingExtra(BadInput):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        mend = f"pip install {package}, or in Wordworth's own folder pip install '.[{extra}]'"
        super().__init__(f"this needs {package}, which is not installed", mend=mend)


def require_package(package: str, extra: str, distribution: str = "") -> None:
    """Check that an optional dependency is installed, without importing it.

    Args:
        package: import name of the dependency.
        extra: Wordworth's extra that installs it, for the error.
        distribution: the name by which pip installs it, where that is not its import name.

    Raises:
        MissingExtra: the package is not installed.
    """
    if find_spec(package) is None:
        raise MissingExtra(distribution or package, extra)


class NotFound(BadInput, LookupError):
    """A name that the user wrote does not exist, such as the name of a model, setting or column."""


class NotEnoughMemory(WordworthError):
    """The machine ran out of memory."""


class LongTextWarning(UserWarning):
    """A warning that texts exceed an encoder's window, and that the caller did not choose how to read long texts."""


class ZeroVectorWarning(UserWarning):
    """A warning that some texts got a vector of zeros, as the static table has no vector for any of their words."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return a hint for a misspelt name, for an error message: the choice most like it, or all if no choice is like it.

    If several choices are equally near, the hint names all of them. If no choice is like the word, the hint lists at
    most the first 40 choices.

    Args:
        word: the name as the user wrote it.
        choices: the valid names.

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
    """Return the hint of `nearest` followed by the list of all choices, which must be few.

    Args:
        word: the name as the user wrote it.
        choices: the valid names.

    >>> nearest_of_few("float16", ["float32", "bfloat16"])
    "did you mean 'bfloat16'? (available: 'float32', 'bfloat16')"
    """
    known = list(choices)
    hint = nearest(word, known)
    return hint if hint.startswith("available") else f"{hint} (available: {', '.join(map(repr, known))})"


def likeliest(word: str, choices: Sequence[str]) -> str | None:
    """Return the choice that a word most likely means, or None if no choice is like the word.

    A choice is like the word in three cases. First, the word may be a misspelling of the choice. Second, if both are
    split at underscores, all parts of the shorter are in the longer (`batch` and `batch_size`). Third, the choice
    begins with the word (`acc` and `accuracy`).
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
    """Return `match`, the choice found for a word, together with the choices that fit the word as well.

    These are as long as `match`, and contain all parts of the word (split at underscores) and further parts. If
    `match` does not contain them, it is returned alone.
    """
    parts = set(_plain(word).split("_"))
    alike = [name for name in choices if len(name) == len(match) and parts < set(_plain(name).split("_"))]
    return alike if match in alike else [match]


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")
