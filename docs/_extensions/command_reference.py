"""A Sphinx extension whose directive `command-reference` shows the help of every command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

WIDTH = 80


def commands(group: click.Group, name: str) -> Iterator[tuple[str, str]]:
    """Yield the full name and the help of each command of a group and of the groups in it."""
    context = click.Context(group, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    for command_name in group.list_commands(context):
        command = group.get_command(context, command_name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {command_name}")
        elif command is not None:
            inner = click.Context(command, info_name=f"{name} {command_name}", terminal_width=WIDTH)
            yield f"{name} {command_name}", command.get_help(inner)


class CommandReference(SphinxDirective):
    """Show a section for each command, in place of the list for readers of a code host (`plain_lists.py`)."""

    has_content = True

    def run(self) -> list[Any]:
        """Return the sections."""
        from wordworth.cli.app import app

        lines = [f"## {name}\n\n```{{code-block}} none\n\n{text}\n```\n" for name, text in commands(app, "wordworth")]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-reference", CommandReference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
