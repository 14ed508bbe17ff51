"""`wordworth study`: questions to a model itself; each study is a command of its own, loaded when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from wordworth.errors import nearest

STUDIES = {
    "context": "Say how contextual a model's vectors are, layer by layer.",
    "words": "Score static tables on word benchmarks.",
}


class Studies(click.Group):
    """Studies by name, each imported only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order of use."""
        return list(STUDIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The study of that name.

        Raises:
            click.UsageError: there is none; names the near one.
        """
        if cmd_name not in STUDIES:
            raise click.UsageError(f"no study {cmd_name!r}; {nearest(cmd_name, STUDIES)}", ctx)
        command: click.Command = import_module(f"wordworth.cli.study_{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The list in --help, without importing a single study."""
        with formatter.section("Studies"):
            formatter.write_dl(list(STUDIES.items()))


@click.group("study", cls=Studies)
def command() -> None:
    """Ask a model itself what its vectors are like.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study words --model static/ --model glove --sets all
    """
