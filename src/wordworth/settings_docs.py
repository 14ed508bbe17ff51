"""`documented_by`: a decorator that completes the Args of a public function's docstring from the help of settings."""

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

    A parameter that the docstring does not describe gets the help of the setting with its name. The exception is a
    switch that is on by default: its help is about the flag `--no-...`, so that the docstring must describe it.

    Args:
        classes: settings classes; the first one with a field of the parameter's name is used.
        prefix: the beginning of each description that is added.
    """

    def complete(function: Function) -> Function:
        if function.__doc__:  # there is none under python -OO
            settings = {each.name: each for kind in reversed(classes) for each in fields(kind)}
            function.__doc__ = _completed(inspect.cleandoc(function.__doc__), function, settings, prefix)
        return function

    return complete


def _completed(text: str, function: Callable[..., Any], settings: Mapping[str, Field[Any]], prefix: str) -> str:
    section, names = _ARGS.search(text), list(inspect.signature(function).parameters)
    written = [] if section is None else [f"    {entry}" for entry in _ENTRY.split(section[1])[1:]]
    entries = {name.strip(): entry for entry in written for name in entry.partition(":")[0].split(",")}
    for name in names:
        words = description(settings[name]) if name in settings and name not in entries else ""
        if words:
            entries[name] = _wrapped(f"{name}: {prefix}{words}")
    ordered = dict.fromkeys(entries[name].rstrip("\n") for name in names if name in entries)
    args = "\n".join(["Args:", *ordered, ""])
    return f"{text}\n\n{args}" if section is None else text[: section.start()] + args + text[section.end() :]


def _wrapped(entry: str) -> str:
    indents = {"initial_indent": " " * 4, "subsequent_indent": " " * 8}
    return textwrap.fill(entry, _WIDTH, break_long_words=False, break_on_hyphens=False, **indents)  # type: ignore[arg-type]  # by name


def description(setting: Field[Any]) -> str:
    """Return the help of a setting in words for callers in Python.

    The result is empty for a setting without help and for a switch that is on by default, whose help is about the flag
    `--no-...`.
    """
    if setting.default is True:
        return ""
    text = in_keywords(str(setting.metadata.get("help", ""))).removesuffix(" Repeatable.")
    text = _DEFAULT.sub(r"; by default \1.", text)
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
