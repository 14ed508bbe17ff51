"""Check texts from a caller: they must be a list of strings, not something similar."""

from __future__ import annotations

from collections.abc import Iterable

from wordworth.errors import BadInput


def require_texts(texts: Iterable[object]) -> list[str]:
    """The texts as a list.

    Raises:
        BadInput: they are one string, or an item is not a string (missing values become None or NaN).

    >>> require_texts(("a", "b"))
    ['a', 'b']
    """
    if isinstance(texts, str):
        raise BadInput("expected a list of texts, got a single text", mend="put it in a list: [text]")
    checked: list[str] = []
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            what = f"text {index} is {text!r} ({type(text).__name__}), not text"
            raise BadInput(what, mend="fill or drop missing values")
        checked.append(text)
    return checked
