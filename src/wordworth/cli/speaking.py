"""Of several processes at one command, the one that speaks."""

from __future__ import annotations

import os


def speaks() -> bool:
    """Whether this is the first of the processes that torchrun started, or the only one."""
    return os.environ.get("RANK", "0") == "0"
