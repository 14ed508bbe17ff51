"""`LazyGroup`: a click group whose commands are imported only when they are run, so that --help stays fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click

from wordworth.cli.main_process_output import notice
from wordworth.errors import nearest


class LazyGroup(click.Group):
    """A group of commands, each imported only when it is run.

    Args:
        offered: command name -> its line of help, in the order of --help; or a function that returns this mapping.
        modules: prefix of the names of the commands' modules.
        called: what the commands are called: a singular noun for messages, and the heading of their list in --help.
        former: former name of a command -> its name today. The former name still works, with a notice.
        attributes: keyword arguments of `click.Group`.
    """

    def __init__(
        self,
        *,
        offered: Mapping[str, str] | Callable[[], Mapping[str, str]],
        modules: str = "wordworth.cli.",
        called: tuple[str, str] = ("command", "Commands"),
        former: Mapping[str, str] | None = None,
        **attributes: Any,  # noqa: ANN401 - click's own
    ) -> None:
        super().__init__(**attributes)
        self.modules, self.called, self._offered = modules, called, offered
        self.former = former or {}

    @property
    def offered(self) -> Mapping[str, str]:
        """Command name -> its line of help, in the order of --help."""
        return self._offered() if callable(self._offered) else self._offered

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands, in the order of --help."""
        return list(self.offered)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return the command with this name; None if no command has it.

        Args:
            ctx: the click context of the group.
            cmd_name: name of the command.
        """
        if cmd_name not in self.offered:
            return None
        command: click.Command = import_module(self.modules + cmd_name.replace("-", "_")).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run; for a misspelt name, raise an error with the nearest name.

        Args:
            ctx: the click context of the group.
            args: the words of the command line, the command's name first.
        """
        if args and args[0] in self.former:
            notice(f"the {self.called[0]} {args[0]} is called {self.former[args[0]]} now")
            args = [self.former[args[0]], *args[1:]]
        if args and not args[0].startswith("-") and args[0] not in self.offered:
            raise click.UsageError(f"no {self.called[0]} {args[0]!r}; {nearest(args[0], self.offered)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of commands for --help, without importing them."""
        with formatter.section(self.called[1]):
            formatter.write_dl(list(self.offered.items()))
