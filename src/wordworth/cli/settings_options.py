"""`settings_options`: a decorator that makes a command's options from the fields of settings classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field
from functools import reduce
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import click
from click.core import ParameterSource

from wordworth.cli.main_process_output import notice
from wordworth.settings_validation import flag_of, settings_of

Command = TypeVar("Command", bound=Callable[..., Any])
Callback = Callable[[click.Context, click.Parameter, Any], Any]


def settings_options(*classes: type[Any], prefix: str = "", **callbacks: Callback) -> Callable[[Command], Command]:
    """Return a decorator that adds an option for each setting, with the type, default and help of its field.

    An option that the user leaves out has the value None or, if it is repeatable, (); `chosen` removes such values.

    Args:
        classes: settings classes; no two of their options have the same name.
        prefix: the beginning of each option's help.
        callbacks: name of a setting -> callback of its option.
    """
    options = [
        _option(field, members, prefix, callbacks.get(field.name))
        for settings in classes
        for field, members in settings_of(settings)
        if field.metadata.get("option", True)
    ]
    return lambda command: reduce(lambda function, option: option(function), reversed(options), command)


def chosen(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the user set on the command line: name -> value."""
    return {name: value for name, value in choices.items() if value not in (None, ())}


def was_given(name: str) -> bool:
    """Return whether the user set the option of this name, rather than leaving it at its default."""
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def _option(
    field: Field[Any], members: tuple[Any, ...], prefix: str, callback: Callback | None
) -> Callable[[Command], Command]:
    """Return the click decorator that adds the option of one setting; a setting of type bool becomes a switch.

    Args:
        field: the setting, a field of a settings class.
        members: the members of the field's type, such as `(int,)` for `int | None`.
        prefix: the beginning of the option's help.
        callback: the callback of the option, or None.
    """
    if members[0] is bool:
        flags = field.metadata.get("flags") or (flag_of(f"no-{field.name}" if field.default else field.name),)
        if "/" in flags[0]:
            return click.option(*flags, field.name, default=None, help=_help(field, prefix))
        return click.option(*flags, field.name, flag_value=not field.default, default=None, help=_help(field, prefix))
    several = any(get_origin(member) is tuple for member in members)
    kind = get_args(members[0])[0] if get_origin(members[0]) is tuple else members[0]
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    return click.option(
        *(field.metadata.get("flags") or (flag_of(field.name),)),
        field.name,
        type=str if choices else click.Path(path_type=Path) if kind is Path else kind,
        metavar=f"[{'|'.join(choices)}]" if choices else None,
        multiple=several,
        required=field.default is MISSING and field.default_factory is MISSING,
        callback=callback or (_single if several and len(members) > 1 else None),
        help=_help(field, prefix),
    )


def _single(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> object:  # noqa: ARG001 - a click callback
    """Return the value of a repeatable option that the user set once; else the tuple of all values."""
    return values[0] if len(values) == 1 else values


def _help(field: Field[Any], prefix: str) -> str:
    """Return the help of a setting, followed by its default and its valid range if it has them.

    The default is not added if the help itself has a part `[default: ...]`. An option of two names, such as --model and
    --models, has a sentence that they are one option.
    """
    text = str(field.metadata.get("help", ""))
    names = field.metadata.get("flags", ())
    if len(names) > 1:
        text = f"{text} {' and '.join(names)} are the same option."
    text = prefix + text[:1].lower() + text[1:] if prefix else text
    valid = field.metadata.get("valid")
    facts = [] if valid is None else [valid.words]
    if "[default:" not in text and field.default not in (MISSING, None, (), "") and not isinstance(field.default, bool):
        facts.insert(0, f"default: {_default_text(field.default)}")
    return f"{text} [{'; '.join(facts)}]".strip() if facts else text


def _default_text(default: Any) -> str:  # noqa: ANN401 - of any type
    if isinstance(default, tuple):
        return ", ".join(map(str, default))
    return f"{default:,}".removesuffix(".0") if isinstance(default, int | float) else str(default)


def todays_kind(context: click.Context, parameter: click.Parameter, kind: str | None) -> str | None:  # noqa: ARG001 - a click callback
    """Return the current name of a kind of task, with a notice if the user wrote a former name (a click callback).

    Args:
        context: the click context, which the callback does not read.
        parameter: the click parameter, which the callback does not read.
        kind: the kind of task as the user wrote it, or None if the user gave no kind.
    """
    if kind is None:
        return None
    from wordworth.tasks.task_types import todays_name

    today = todays_name(kind)
    if today != kind:
        notice(f"--kind {kind} is called --kind {today} now")
    return today
