"""Short names for tables that are named by long paths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


def labels(names: Sequence[str]) -> dict[str, str]:
    """Map each name to as few of its last path components as distinguish it from the others.

    >>> labels(["glove", "/run/one/static", "/run/two/static"])
    {'glove': 'glove', '/run/one/static': 'one/static', '/run/two/static': 'two/static'}
    """
    components = {name: PurePath(name).parts or (name,) for name in names}
    return {
        name: _tail(name, components[name], [components[other] for other in names if other != name]) for name in names
    }


def _tail(name: str, components: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> str:
    for count in range(1, len(components)):
        if all(other[-count:] != components[-count:] for other in others):
            return "/".join(components[-count:])
    return name
