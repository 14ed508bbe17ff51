"""What can go wrong in a user's hands, and how it is said.

    WordworthError          anything we raise on purpose
    ├── BadInput            what the user gave cannot be used: the command line prints it and exits 2
    │   ├── MissingExtra    an optional dependency is not installed
    │   └── NotFound        a name stands for nothing here; a LookupError too
    └── NotEnoughMemory     the machine ran out; says what to make smaller

Everything else is a bug and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

FETCH_AGAIN = "fetch the file again, or run again what made it"
"""What mends a damaged file of a model, published or one's own."""
_SURE, _NEAR, _NEAR_SHORT, _SHORT = 0.8, 0.7, 0.6, 4
"""Similarities (`difflib`) from which a name is a misspelling: surely, likely, likely of names of so many letters."""
_SHOWN = 40
"""Names that an error lists at most."""


class WordworthError(Exception):
    """An error with three parts: what happened, where, and how to mend it."""

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        self.what, self.where, self.mend = what, where, mend
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.mend}" if self.mend else ""
        return f"{place}{self.what}{remedy}"

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle makes the error again without `__init__`, whose arguments differ from class to class."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[WordworthError], args: tuple[object, ...], state: dict[str, Any]) -> WordworthError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class BadInput(WordworthError):
    """What the user gave cannot be used as it is."""


class MissingExtra(BadInput):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        mend = f"pip install {package}, or in Wordworth's own folder pip install '.[{extra}]'"
        super().__init__(f"this needs {package}, which is not installed", mend=mend)


class NotFound(BadInput, LookupError):
    """A name stands for nothing among what there is."""


class NotEnoughMemory(WordworthError):
    """The machine ran out of memory."""


class LongTextWarning(UserWarning):
    """Texts were longer than an encoder reads at once, and the caller had not said what to do with them."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """A hint for a misspelt name: the nearest choice, or the choices there are.

    >>> nearest("lable", ["text", "label"]), nearest("learning_rate", ["learn_from", "rate"])
    ("did you mean 'label'?", "did you mean 'rate'?")
    """
    known = list(choices)
    if not known:
        return "there is none to choose from"
    close = likeliest(word, known)
    if close is not None:
        return f"did you mean {close!r}?"
    shown = ", ".join(repr(choice) for choice in known[:_SHOWN])
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return f"there {'is' if len(known) == 1 else 'are'} {shown}{more}"


def likeliest(word: str, choices: Sequence[str]) -> str | None:
    """The choice that a word most likely stands for: one misspelt, or one of more or fewer parts (batch_size)."""
    plain = {_plain(choice): choice for choice in reversed(choices)}  # of two that differ in case alone, the first
    wanted = _plain(word)
    surely = difflib.get_close_matches(wanted, plain, n=1, cutoff=_SURE)
    parts = set(wanted.split("_"))
    within = [name for name in plain if parts < set(name.split("_")) or parts > set(name.split("_"))]
    perhaps = difflib.get_close_matches(wanted, plain, n=1, cutoff=_NEAR if len(wanted) > _SHORT else _NEAR_SHORT)
    close = next(iter([*surely, *sorted(within, key=len, reverse=True), *perhaps]), None)
    return None if close is None else plain[close]


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")
