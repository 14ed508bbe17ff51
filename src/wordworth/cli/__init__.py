"""The command line, which turns arguments into a call, a progress bar and an exit code.

Each command has a file of its own, which holds no other logic.
"""

from wordworth.cli.app import main

__all__ = ["main"]
