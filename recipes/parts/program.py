"""The way in which every recipe runs as a program: with the errors and exit codes of `wordworth`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from wordworth.cli.app import INTERRUPTED
from wordworth.errors import WordworthError


def run_program(main: Callable[[], object]) -> NoReturn:
    """Run a recipe and exit: 0 on success, 2 for bad input, 130 when interrupted; bugs keep their traceback.

    Args:
        main: the recipe; it reads the command line.
    """
    try:
        main()
    except WordworthError as error:
        sys.exit(_report(" ".join(error.in_flags.split()), 2))
    except KeyboardInterrupt:
        sys.exit(_report("stopped", INTERRUPTED))
    sys.exit(0)


def _report(message: str, code: int) -> int:
    print(f"{sys.argv[0]}: {message}", file=sys.stderr)
    return code
