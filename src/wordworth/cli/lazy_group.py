"""A group of commands that load when they are called, so that --help stays fast."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from wordworth.errors import nearest


class LazyGroup(click.Group):
    """Commands by name, each imported only when it is asked for.

    Args:
        offered: names with a line on each, in the order of use.
        modules: a module's name up to the command's own.
        called: what one of them is called, and several.
        attributes: as `click.Group` takes them.
    """

    def __init__(
        self,
        *,
        offered: Mapping[str, str],
        modules: str = "wordworth.cli.",
        called: tuple[str, str] = ("command", "Commands"),
        **attributes: Any,  # noqa: ANN401 - click's own
    ) -> None:
        super().__init__(**attributes)
        self.offered, self.modules, self.called = offered, modules, called

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order of use."""
        return list(self.offered)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of that name, or None."""
        if cmd_name not in self.offered:
            return None
        command: click.Command = import_module(self.modules + cmd_name.replace("-", "_")).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for; a misspelt one gets the name of the near one."""
        if args and not args[0].startswith("-") and args[0] not in self.offered:
            raise click.UsageError(f"no {self.called[0]} {args[0]!r}; {nearest(args[0], self.offered)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The list in --help, without importing a single command."""
        with formatter.section(self.called[1]):
            formatter.write_dl(list(self.offered.items()))
