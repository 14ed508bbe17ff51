"""What `pretrain` and `adapt` share: how long, on what, and how they say what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process import say, speaks
from wordworth.cli.progress_bars import Bars
from wordworth.progress import SILENT, Progress
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.training.pretraining.run import PretrainingResult

Command = Callable[..., Any]


def training_options(*, looks: int) -> Callable[[Command], Command]:
    """A decorator with the options of a training run; `looks` is how often held-out text is looked at by itself."""
    options = (
        click.option("--steps", type=int, help="How long: so many updates,"),
        click.option("--epochs", type=float, help="or so many passes over the corpus,"),
        click.option("--budget", help="or so much time: 30m, 2h, 1d."),
        click.option(
            "--held-out", type=click.Path(path_type=Path), help="Text (or a store) that is looked at, never learned."
        ),
        click.option(
            "--looks", type=int, default=looks, show_default=True, help="How often held-out text is looked at."
        ),
        click.option("--sampling", type=float, default=1.0, show_default=True, help="Exponent of the corpora's sizes."),
        click.option(
            "--seed", type=int, default=0, show_default=True, help="The seed that everything random comes from."
        ),
        click.option("--dtype", type=click.Choice(["auto", "float32", "bfloat16"]), default="auto", show_default=True),
        click.option("--threads", type=click.IntRange(min=1), help="How many threads torch uses."),
        click.option("--device", default="auto", show_default=True, help="cpu, cuda or auto."),
    )
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def give_waiting_cores_away() -> None:
    """Threads that wait leave their core to other programs, unless the user says otherwise; before torch is loaded."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def progress() -> Progress:
    """Bars of the process that speaks; the others of torchrun are silent."""
    return Bars() if speaks() else SILENT


def tell(result: PretrainingResult) -> None:
    """What came of a run, in a line, said once however many processes there are."""
    if speaks():
        read = f"{count_of(result.steps, 'step')}, {result.tokens:,} tokens"
        say(f"{result.folder}: {read}, loss {result.loss:.3f}")
