"""`Registry`: named things of one kind: our own, those that a caller registers, and those of installed packages."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

from wordworth.errors import BadInput, NotFound, nearest

T = TypeVar("T")


class Registry(Generic[T]):
    """Named things of one kind: our own, those that a caller registers, and those of installed packages.

    A package brings its own by an entry point `name = "module:attribute"` of the registry's group. Each is imported
    when it is first asked for by its name.

    Args:
        noun: what the things are, for messages: "task type".
        group: the entry point group: "wordworth.task_types".
        builtin: name -> "module:attribute" of our own.
        former: former name -> name today.
        former_group: the group's former name, which is read as well.
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
        self._builtin, self._loaded = builtin, dict[str, T]()

    def register(self, name: str, value: T) -> None:
        """Add a thing under a name of its own.

        Raises:
            BadInput: the name is taken by another.
        """
        if name in self.names() and self._loaded.get(name) is not value:
            raise BadInput(f"there is a {self.noun} {name!r} already", mend="register yours under another name")
        self._loaded[name] = value

    def names(self) -> list[str]:
        """All names: our own first, then those of other packages, then those registered by a caller."""
        return list(dict.fromkeys((*self._builtin, *self._installed(), *self._loaded)))

    def get(self, name: str) -> T:
        """The thing with this name, or with this former name.

        Raises:
            NotFound: there is none.
            BadInput: the package that brings it cannot be imported.
        """
        name = self.former.get(name, name)
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        if name in self._builtin:
            return cast("T", load_object(self._builtin[name]))
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
        return {entry.name: entry for group in groups for entry in _entry_points(group, tuple(sys.path))}


def load_object(reference: str) -> Any:  # noqa: ANN401 - whatever stands there
    """The object that "module:attribute" refers to; its module is imported."""
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


@lru_cache(maxsize=64)
def _entry_points(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:  # noqa: ARG001 - what is installed depends on it
    """The entry points of a group; reading what is installed takes milliseconds, and names are asked for often."""
    return tuple(entry_points(group=group))
