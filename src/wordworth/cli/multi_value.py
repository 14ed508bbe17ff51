"""`MultiValueCommand`: a command whose repeatable options take several values at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import click


class MultiValueCommand(click.Command):
    """A command without positional arguments: `--models a b` means `--models a --models b`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, with the option's name put before each further value of a repeatable option."""
        repeatable = [param for param in self.params if isinstance(param, click.Option) and param.multiple]
        names = {name for option in repeatable for name in option.opts}
        return super().parse_args(ctx, list(spelt_out(args, names)))


def spelt_out(args: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The arguments with the option's name repeated before each of its values.

    >>> list(spelt_out(["--models", "a", "b", "--out", "c"], {"--models"}))
    ['--models', 'a', '--models', 'b', '--out', 'c']
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
