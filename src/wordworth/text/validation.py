"""Texts as a caller gives them: a list of strings, and nothing that only looks like one."""

from __future__ import annotations

from collections.abc import Iterable

from wordworth.errors import BadInput


def require_texts(texts: Iterable[object]) -> list[str]:
    """The texts as a list.

    Raises:
        BadInput: they are one string, or one of them is no text (None and NaN are what missing values become).

    >>> given_texts(("a", "b"))
    ['a', 'b']
    """
    if isinstance(texts, str):
        raise BadInput("one text was given where a list of texts is read", mend="put it in a list: [text]")
    checked: list[str] = []
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            what = f"text {index} is {text!r} ({type(text).__name__}), not text"
            raise BadInput(what, mend="fill or drop missing values")
        checked.append(text)
    return checked
