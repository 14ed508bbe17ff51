"""The environment of a record: versions, machine and date."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wordworth.versions import PACKAGES, version


def environment(threads: int) -> dict[str, Any]:
    """Versions of the libraries that compute, the processor, the number of threads and the date (UTC)."""
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": threads,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def _cpu() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return model or platform.processor() or "unknown"
