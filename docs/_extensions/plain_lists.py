"""The lists of names and of commands inside the pages, for readers of a code host, which knows none of the directives.

A list is the content of its directive: Sphinx puts its own table in its place.

PYTHONPATH=src python docs/_extensions/plain_lists.py
"""

from __future__ import annotations

import ast
import inspect
import re
from importlib.util import find_spec
from pathlib import Path

import click
from api_pages import GROUPS, documented, is_module, resolve

from wordworth.cli.app import app

DOCS = Path(__file__).resolve().parents[1]
PAGES = (DOCS / "api" / "index.md", DOCS / "commands.md")
_BLOCK = re.compile(r"^```\{(api-group|command-reference)\} ?(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LONGEST = 120


def with_lists(text: str) -> str:
    """Return a page with today's list in each of its directives."""
    return _BLOCK.sub(_filled, text)


def _filled(block: re.Match[str]) -> str:
    directive, group, _ = block.groups()
    lines = [f"{name}: {summary(name)}" for name in GROUPS[group]()] if group else commands(app, "wordworth")
    return "\n".join([f"```{{{directive}}} {group}".rstrip(), *lines, "```"])


def summary(name: str) -> str:
    """Return the first sentences of the docstring of a public name; a module is read, not imported."""
    if is_module(name):
        source = Path(str(find_spec(name).origin)).read_text(encoding="utf-8")  # type: ignore[union-attr]  # it is there
        text = ast.get_docstring(ast.parse(source)) or ""
    else:
        text = inspect.getdoc(resolve(documented(name))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def commands(group: click.Group, name: str) -> list[str]:
    """Return a line for each command of a group and of the groups in it: its full name and its first sentence."""
    context, lines = click.Context(group, info_name=name), []
    for last in group.list_commands(context):
        command = group.get_command(context, last)
        if isinstance(command, click.Group):
            lines += commands(command, f"{name} {last}")
        elif command is not None:
            lines.append(f"{name} {last}: {command.get_short_help_str(_LONGEST)}")
    return lines


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_lists(path.read_text(encoding="utf-8")), encoding="utf-8")
