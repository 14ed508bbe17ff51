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
from collections.abc import Iterable

FETCH_AGAIN = "fetch the file again, or run again what made it"
"""What mends a damaged file of a model, published or one's own."""
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

    >>> nearest("lable", ["text", "label"])
    "did you mean 'label'?"
    """
    known = list(choices)
    if not known:
        return "there is none to choose from"
    close = difflib.get_close_matches(word.lower(), [choice.lower() for choice in known], n=1, cutoff=0.6)
    if close:
        found = next(choice for choice in known if choice.lower() == close[0])
        return f"did you mean {found!r}?"
    shown = ", ".join(repr(choice) for choice in known[:_SHOWN])
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return f"there {'is' if len(known) == 1 else 'are'} {shown}{more}"
