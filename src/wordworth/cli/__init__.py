"""The command line: arguments become a call, a progress bar and an exit code. One file a command, no logic in it."""

from wordworth.cli.app import main

__all__ = ["main"]
