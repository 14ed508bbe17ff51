"""`former_keywords`: a decorator by which a function still accepts former names of its keywords, with a warning."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def former_keywords(**todays: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator by which a function still accepts the former names of renamed keywords.

    A call with a former name works and issues a `FutureWarning`. A call with both names of one keyword raises a
    `TypeError`.

    Args:
        todays: former name of a keyword -> its name today.

    >>> former_keywords(epsilon="margin")(lambda margin=1: margin)(margin=2)
    2
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def renamed(*arguments: Any, **keywords: Any) -> R:  # noqa: ANN401 - the function's own
            for former in todays.keys() & keywords.keys():
                name = todays[former]
                if name in keywords:
                    raise TypeError(f"{function.__name__}() got {former!r} and {name!r}, which is its name today")
                warnings.warn(f"{former} is called {name} now", FutureWarning, stacklevel=2)
                keywords[name] = keywords.pop(former)
            return function(*arguments, **keywords)

        return cast("Callable[P, R]", renamed)

    return decorate
