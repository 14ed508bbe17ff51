"""Functions that the commands `pretrain` and `adapt` share: the option --override, progress and the result line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process_output import is_main_process, notice, say
from wordworth.cli.progress_bars import Bars
from wordworth.progress import SILENT, Progress
from wordworth.sentence_formatting import count_of

if TYPE_CHECKING:
    from wordworth.training.pretraining.run import PretrainingResult

Command = Callable[..., Any]
FORMER_OPTIONS = {"--with": "--override", "--looks": "--evals"}
"""Former name of an option of both commands -> its name today."""


def override_option(command: Command) -> Command:
    """Add the option --override to a command; a former name of a setting in it still works, with a notice."""
    return click.option(
        "--override",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_todays_changes,
        help="Change a setting of the recipe. Repeatable.",
    )(command)


def _todays_changes(ctx: click.Context, param: click.Parameter, changes: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001 - click's callback
    from wordworth.training.pretraining.recipe import FORMER_NAMES, todays_change

    for name in (change.partition("=")[0] for change in changes):
        if name in FORMER_NAMES:
            notice(f"{name} is called {FORMER_NAMES[name]} now")
    return tuple(todays_change(change) for change in changes)


def progress() -> Progress:
    """Return progress bars in the main process, and a silent `Progress` in the other processes of torchrun."""
    return Bars() if is_main_process() else SILENT


def say_result(result: PretrainingResult) -> None:
    """Print the result of a run in one line, in the main process only."""
    if is_main_process():
        read = f"{count_of(result.steps, 'step')}, {result.tokens:,} tokens"
        say(f"{result.folder}: {read}, loss {result.loss:.3f}")
