"""`Registry`: objects of one kind by name, such as task types: Wordworth's own, a caller's, and other packages'."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

from wordworth.errors import BadInput, NotFound, nearest

T = TypeVar("T")
_CALLERS: set[tuple[str, str]] = set()


class Registry(Generic[T]):
    """A registry of objects of one kind by name: Wordworth's own, a caller's, and the objects of installed packages.

    A package offers an object by an entry point `name = "module:attribute"` in the registry's group. An object is
    imported when its name is first passed to `get`.

    Args:
        noun: what the objects are called in messages, such as "task type".
        group: the entry point group, such as "wordworth.task_types".
        builtin: name -> "module:attribute" of Wordworth's own objects.
        former: former name -> name today.
        former_group: the former name of the entry point group, which is read as well.
    """

    def __init__(
        self,
        noun: str,
        *,
        group: str,
        builtin: Mapping[str, str],
        former: Mapping[str, str] | None = None,
        former_group: str | None = None,
    ) -> None:
        self.noun, self.group, self.former, self.former_group = noun, group, former or {}, former_group
        self.builtin, self._loaded = builtin, dict[str, T]()

    def register(self, name: str, value: T) -> None:
        """Add an object under a new name.

        Raises:
            BadInput: another object has this name.
        """
        if name in self.names() and self._loaded.get(name) is not value:
            raise BadInput(f"there is a {self.noun} {name!r} already", mend="register yours under another name")
        self._loaded[name] = value
        _CALLERS.add((self.noun, name))

    def names(self) -> list[str]:
        """Return all names: first Wordworth's, then the names of other packages, then a caller's own."""
        return list(dict.fromkeys((*self.builtin, *self._installed(), *self._loaded)))

    def get(self, name: str) -> T:
        """Return the object with this name, or with this former name.

        Raises:
            NotFound: there is no object with this name.
            BadInput: the package that offers the object cannot be imported.
        """
        name = self.former.get(name, name)
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        if name in self.builtin:
            return cast("T", load_object(self.builtin[name]))
        installed = self._installed()
        if name not in installed:
            raise NotFound(f"unknown {self.noun} {name!r}", mend=nearest(name, self.names()))
        try:
            return cast("T", installed[name].load())
        except (ImportError, AttributeError) as error:
            package = installed[name].dist
            where = package.name if package else installed[name].value
            raise BadInput(
                f"cannot import the {self.noun} {name!r} ({error})", where=where, mend="mend that package or remove it"
            ) from error

    def _installed(self) -> dict[str, EntryPoint]:
        groups = [self.group] if self.former_group is None else [self.former_group, self.group]
        return {entry.name: entry for group in groups for entry in entry_points_of(group)}


def has_callers_objects() -> bool:
    """Return whether a caller registered any object in this process; child processes would lack such an object."""
    return bool(_CALLERS)


def load_object(reference: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Import the module of a reference "module:attribute" and return the attribute."""
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


def entry_points_of(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group that installed packages declare."""
    return _installed_entry_points(tuple(sys.path)).get(group, ())


@lru_cache(maxsize=8)
def _installed_entry_points(path: tuple[str, ...]) -> dict[str, tuple[EntryPoint, ...]]:  # noqa: ARG001 - decides it
    """Return all entry points by group, cached, as reading them opens a file of every installed package.

    Args:
        path: `sys.path`; entry points are read again if it has changed.
    """
    installed = entry_points()
    return {group: tuple(installed.select(group=group)) for group in installed.groups}
