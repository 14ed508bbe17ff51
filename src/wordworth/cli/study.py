"""`wordworth study`: studies of a model itself; each is a command of its own, imported when it is run.

Ours have a module each, `study_NAME.py`. The command of a study that another package brings is made of its settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from wordworth.cli.command import Command
from wordworth.cli.lazy_group import LazyGroup
from wordworth.cli.main_process import say
from wordworth.cli.output import warned
from wordworth.cli.progress_bars import Bars
from wordworth.cli.report_option import report_option
from wordworth.studies import STUDIES

if TYPE_CHECKING:
    from wordworth.studies.study import Study

OURS = {
    "context": "Measure how contextual a model's vectors are, layer by layer.",
    "words": "Score static tables on word benchmarks.",
    "senses": "Classify word senses by the nearest centroid; look at words one by one.",
}


def studies() -> dict[str, str]:
    """Every study and what it does: ours, then those of other packages."""
    return OURS | {name: STUDIES.get(name).help for name in STUDIES.names() if name not in OURS}


class StudyGroup(LazyGroup):
    """The studies as commands."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of one of our studies, or one made of a study's settings; None if there is none."""
        if cmd_name in OURS or cmd_name not in STUDIES.names():
            return super().get_command(ctx, cmd_name)
        return command_of(STUDIES.get(cmd_name))


@click.group("study", cls=StudyGroup, offered=studies, modules="wordworth.cli.study_", called=("study", "Studies"))
def command() -> None:
    """Study what a model's vectors are like.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study words --models static/ glove --sets all
      wordworth study senses --model minilm
    """


def command_of(study: Study) -> click.Command:
    """A command with an option for each input and each setting of a study."""
    inputs = [click.Option([_flag(name)], required=True, help=text) for name, text in study.inputs.items()]

    def run(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
        chosen = {name: value for name, value in choices.items() if value not in (None, ())}
        record = study(out=out, progress=Bars(), **chosen)
        say(f"\n{record.verdict}\n{warned(record)}\n{out / 'report.html'}")

    made = Command(
        name=study.kind, help=study.help, callback=run, params=[*inputs, *_options(study.settings)], several_values=True
    )
    return report_option(made)


def _options(settings: type[Any]) -> Iterator[click.Option]:
    hints = get_type_hints(settings)
    for field in fields(settings):
        yield _option(field, hints[field.name])


def _option(field: Field[Any], hint: Any) -> click.Option:  # noqa: ANN401 - a type annotation
    """The option of a setting: its type, choices and default are those of the field."""
    text = str(field.metadata.get("help", ""))
    if field.default not in (MISSING, None, ()):
        text = f"{text} [default: {field.default}]".strip()
    if get_origin(hint) in (Union, UnionType):
        hint = next(each for each in get_args(hint) if each is not NoneType)
    several = get_origin(hint) is tuple
    hint = get_args(hint)[0] if several else hint
    flags = [f"{_flag(field.name)}/{_flag('no-' + field.name)}"] if hint is bool else [_flag(field.name)]
    of_type = click.Choice(get_args(hint)) if get_origin(hint) is Literal else hint
    required = field.default is MISSING and field.default_factory is MISSING
    return click.Option(flags, type=of_type, default=None, multiple=several, required=required, help=text)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
