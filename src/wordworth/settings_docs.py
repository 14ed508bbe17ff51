"""`documented_by`: the help of settings documents the parameters of a public function that its docstring leaves out."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from typing import Any, TypeVar

from wordworth.errors import in_keywords

Function = TypeVar("Function", bound=Callable[..., Any])
_ARGS = re.compile(r"^Args:\n((?:    .*\n?)+)", re.MULTILINE)
_ENTRY = re.compile(r"^    (?=\w)", re.MULTILINE)
_DEFAULT = re.compile(r"(?:(?<!\.\.)\.)? \[default: ([^\]]*)\]\.?$")
_WIDTH = 116


def documented_by(*classes: type[Any], prefix: str = "") -> Callable[[Function], Function]:
    """Return a decorator that completes the Args of a docstring, in the order of the parameters.

    A parameter that the docstring does not describe is described by the help of the setting of its name. A switch that
    is on by default is not, since the help says what its flag `--no-...` does.

    Args:
        classes: settings classes; the first that has a field of a parameter's name counts.
        prefix: what the description of each of these parameters begins with.
    """

    def complete(function: Function) -> Function:
        if function.__doc__:  # there is none under python -OO
            settings = {each.name: each for kind in reversed(classes) for each in fields(kind)}
            function.__doc__ = _completed(inspect.cleandoc(function.__doc__), function, settings, prefix)
        return function

    return complete


def _completed(text: str, function: Callable[..., Any], settings: Mapping[str, Field[Any]], prefix: str) -> str:
    found = _ARGS.search(text)
    written = [] if found is None else [f"    {entry}" for entry in _ENTRY.split(found[1])[1:]]
    entries = {name.strip(): entry for entry in written for name in entry.partition(":")[0].split(",")}
    for name in inspect.signature(function).parameters:
        if name not in entries and name in settings and (said := description(settings[name])):
            entries[name] = _wrapped(f"{name}: {prefix}{said}")
    ordered = dict.fromkeys(entries[name] for name in inspect.signature(function).parameters if name in entries)
    section = "Args:\n" + "\n".join(entry.rstrip("\n") for entry in ordered) + "\n"
    if found is None:
        return f"{text}\n\n{section}"
    return text[: found.start()] + section + text[found.end() :]


def _wrapped(entry: str) -> str:
    indents = {"initial_indent": " " * 4, "subsequent_indent": " " * 8}
    return textwrap.fill(entry, _WIDTH, break_long_words=False, break_on_hyphens=False, **indents)  # type: ignore[arg-type]  # by name


def description(setting: Field[Any]) -> str:
    """Return the help of a setting for callers in Python; "" without one, and for a switch that is on by default."""
    if setting.default is True:
        return ""
    text = in_keywords(str(setting.metadata.get("help", ""))).removesuffix(" Repeatable.")
    text = _DEFAULT.sub(r"; by default \1.", text)
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
