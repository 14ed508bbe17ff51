"""What made a record: versions, machine and date."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from wordworth.files import content_key

PACKAGES = ("wordworth", "numpy", "scipy", "scikit-learn", "tokenizers", "torch")


def environment(threads: int) -> dict[str, Any]:
    """Versions of what computed, the processor, the threads and the date (UTC)."""
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": threads,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def version(package: str) -> str:
    """The installed version of a package, or `absent`."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


@cache
def code_key() -> str:
    """A key of what computes: every line of our own code, and the versions of what it stands on.

    What is kept on disk under it is never served to code that could have computed something else.
    """
    root = Path(__file__).resolve().parents[1]
    sources = [path.read_bytes() for path in sorted(root.rglob("*.py"))]
    return content_key(*(version(name) for name in PACKAGES), *sources)


def _cpu() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    named = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or "unknown"
