"""`Command`: a click command whose options may have former names, and may take several values at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import click

from wordworth.cli.main_process_output import notice


class Command(click.Command):
    """A click command of the program.

    Args:
        former_options: former name of an option -> its name today. The former name still works, with a notice.
        several_values: whether a repeatable option takes several values, so that `--models a b` means `--models a
            --models b`; only for a command without positional arguments.
        attributes: keyword arguments of `click.Command`.
    """

    def __init__(
        self,
        *,
        former_options: Mapping[str, str] | None = None,
        several_values: bool = False,
        **attributes: Any,  # noqa: ANN401 - click's own
    ) -> None:
        super().__init__(**attributes)
        self.former_options, self.several_values = former_options or {}, several_values

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with former names replaced and the name of an option repeated before each value.

        Args:
            ctx: the click context.
            args: the words of the command line after the command's name.
        """
        words = list(todays_names(args, self.former_options))
        if self.several_values:
            repeatable = [param for param in self.params if isinstance(param, click.Option) and param.multiple]
            words = list(repeat_names(words, {name for option in repeatable for name in option.opts}))
        return super().parse_args(ctx, words)


def todays_names(args: Sequence[str], former: Mapping[str, str]) -> Iterator[str]:
    """Yield the arguments with former names of options replaced, with a notice for each.

    Arguments after `--` are not options, and are not changed.

    >>> list(todays_names(["--with=a=b", "--", "--with"], {"--with": "--override"}))
    ['--override=a=b', '--', '--with']

    Args:
        args: the words of the command line.
        former: former name of an option -> its name today.
    """
    options = list(args).index("--") if "--" in args else len(args)
    for index, word in enumerate(args):
        name, equals, value = word.partition("=")
        if index < options and name in former:
            notice(f"{name} is called {former[name]} now")
            yield former[name] + equals + value
        else:
            yield word


def repeat_names(args: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """Yield the arguments, with the name of some options repeated before each of their values.

    >>> list(repeat_names(["--models", "a", "b", "--out", "c"], {"--models"}))
    ['--models', 'a', '--models', 'b', '--out', 'c']

    Args:
        args: the words of the command line.
        names: the names of the options.
    """
    option, valued = "", False
    for word in args:
        if word.startswith("-"):
            option, _, value = word.partition("=")
            valued = bool(value)
        elif valued and option in names:
            yield option
        else:
            valued = True
        yield word
