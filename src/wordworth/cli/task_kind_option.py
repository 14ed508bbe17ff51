"""The option `--kind` of a task, which commands that read labels share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wordworth.cli.main_process import notice

Command = TypeVar("Command", bound=Callable[..., Any])


def task_kind_option(explanation: str) -> Callable[[Command], Command]:
    """An option for the kind of task; a former name still works, with a notice."""
    return click.option("--kind", callback=_todays_kind, help=explanation)


def _todays_kind(context: click.Context, parameter: click.Parameter, kind: str | None) -> str | None:  # noqa: ARG001 - a click callback
    if kind is None:
        return None
    from wordworth.tasks.task_types import todays_name

    today = todays_name(kind)
    if today != kind:
        notice(f"--kind {kind} is called --kind {today} now")
    return today
