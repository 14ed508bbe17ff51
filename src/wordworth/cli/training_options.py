"""Options shared by `pretrain` and `adapt`, and how they report progress and the result."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process import is_main_process, notice, say
from wordworth.cli.progress_bars import Bars
from wordworth.progress import SILENT, Progress
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.training.pretraining.run import PretrainingResult

Command = Callable[..., Any]
FORMER_OPTIONS = {"--with": "--override", "--looks": "--evals"}
"""Former names of options of both commands."""


def training_options(*, evals: int) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of a training run; `evals` is the default number of evaluations."""
    options = (
        click.option("--steps", type=int, help="Length of the run in updates; else give --epochs or --budget."),
        click.option("--epochs", type=float, help="Length of the run in passes over the corpus."),
        click.option("--budget", help="Length of the run in time: 30m, 2h, 1d."),
        click.option(
            "--held-out",
            type=click.Path(path_type=Path),
            help="Text (or a token store) to evaluate on; it is never trained on.",
        ),
        click.option(
            "--evals", type=int, default=evals, show_default=True, help="Number of evaluations on held-out text."
        ),
        click.option(
            "--sampling",
            type=float,
            default=1.0,
            show_default=True,
            help="Exponent of the corpus sizes when several are mixed.",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Random seed."),
        click.option("--dtype", type=click.Choice(["auto", "float32", "bfloat16"]), default="auto", show_default=True),
        click.option("--threads", type=click.IntRange(min=1), help="Number of torch threads."),
        click.option("--device", default="auto", show_default=True, help="cpu, cuda or auto."),
    )
    return lambda command: reduce(lambda function, option: option(function), reversed(options), command)


def override_option(command: Command) -> Command:
    """Add the option that changes a recipe; a setting's former name still works, with a notice."""
    return click.option(
        "--override",
        "changes",
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


def give_waiting_cores_away() -> None:
    """Make waiting OpenMP threads free their core, unless the user set otherwise; call before torch is imported."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def progress() -> Progress:
    """Return bars for the main process, and silence for the other processes of torchrun."""
    return Bars() if is_main_process() else SILENT


def say_result(result: PretrainingResult) -> None:
    """Print the result of a run in one line, in the main process only."""
    if is_main_process():
        read = f"{count_of(result.steps, 'step')}, {result.tokens:,} tokens"
        say(f"{result.folder}: {read}, loss {result.loss:.3f}")
