"""Run the fast tests on other versions of Python, where they are installed: `python scripts/test_pythons.py`.

Python 3.12 runs them in one process with two threads, as a user's program would; Python 3.13 in two processes with one
thread each, and prints the share of the lines of `src/` that they run. Each version gets an environment under `build/`.
A version that is not installed, or for whose environment the disk has no room, is left out with a line.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
NEEDED = 14 * 2**30
"""Bytes that an environment may take: outside Python 3.11, PyPI's torch brings the libraries of CUDA."""
FAST_TRACER = {"COVERAGE_CORE": "sysmon"}
"""Lines are counted by `sys.monitoring`, which Python 3.11 lacks."""
RUNS = {
    "3.12": ("PROCESSES=0", "THREADS=2"),
    "3.13": ("PROCESSES=2", "THREADS=1", "COVERAGE=--cov=src/wordworth --cov-report="),
}


def candidates(version: str) -> Iterator[str]:
    """Yield where an interpreter of this version may be: on the path, or among those of pyenv, the newest first."""
    yield f"python{version}"
    yield from sorted(map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python")), reverse=True)


def interpreter(version: str) -> str | None:
    """Return the first interpreter of this version that runs, or None."""
    for path in candidates(version):
        command = shutil.which(path)
        if command and subprocess.run([command, "-c", ""], capture_output=True, check=False).returncode == 0:
            return command
    return None


def run(version: str) -> bool:
    """Run the tests on one version, or say why not; False if they fail."""
    python = interpreter(version)
    if python is None:
        print(f"Python {version}: not installed, left out", flush=True)
        return True
    environment = BUILD / f"python{version}"
    if not environment.exists() and shutil.disk_usage(ROOT).free < NEEDED:
        print(f"Python {version}: the disk has no room for its environment, left out", flush=True)
        return True
    print(f"Python {version}: {' '.join(RUNS[version][:2]).lower()}", flush=True)
    make = ["make", "test", f"VENV={environment.relative_to(ROOT)}", f"PYTHON={python}", *RUNS[version]]
    passed = subprocess.run(make, cwd=ROOT, env=os.environ | FAST_TRACER, check=False).returncode == 0
    if passed and "COVERAGE" in RUNS[version][-1]:
        total = [environment / "bin/python", "-m", "coverage", "report", "--format=total"]
        print(f"line coverage of src/: {subprocess.check_output(total, cwd=ROOT, text=True).strip()} %", flush=True)
    return passed


if __name__ == "__main__":
    BUILD.mkdir(exist_ok=True)
    passed = [run(version) for version in RUNS]
    sys.exit(0 if all(passed) else 1)
