"""Short names for tables that are named by long paths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


def labels(names: Sequence[str]) -> dict[str, str]:
    """Each name to as few of its last parts as tell it from the others.

    >>> labels(["glove", "/run/one/static", "/run/two/static"])
    {'glove': 'glove', '/run/one/static': 'one/static', '/run/two/static': 'two/static'}
    """
    parts = {name: PurePath(name).parts or (name,) for name in names}
    return {name: _tail(name, parts[name], [parts[other] for other in names if other != name]) for name in names}


def _tail(name: str, mine: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> str:
    for count in range(1, len(mine)):
        if all(other[-count:] != mine[-count:] for other in others):
            return "/".join(mine[-count:])
    return name
