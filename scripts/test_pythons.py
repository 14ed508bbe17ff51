"""Run the fast tests on other versions of Python, where they are installed.

    python scripts/test_pythons.py [VERSION ...]      # those of ROOMS
    make test-pythons TESTS=tests                     # all of them

Python 3.12 runs them in one process with two threads, as a user's program would; Python 3.13 in two processes with one
thread each. Each version gets an environment under `build/`, with torch. A version that is not installed, or for whose
environment the disk has no room, is left out with a line.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
NEEDED = 14 * 2**30
"""Bytes that making an environment may take: PyPI's torch brings the libraries of CUDA, 5.5 GB unpacked."""
QUICK = {"PIP_NO_COMPILE": "0"}
"""Settings with which pip does not compile the 20,000 files that no test imports."""
ROOMS = "tests/measures tests/text tests/tasks tests/reports tests/cli"
"""The tests without models; all of them take ten minutes a version."""
RUNS = {"3.12": ("PROCESSES=0", "THREADS=2"), "3.13": ("PROCESSES=2", "THREADS=1")}


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


def obstacle(version: str, python: str | None) -> str:
    """Return why a version cannot be tried here, or an empty string."""
    if python is None:
        return "not installed"
    has_room = (BUILD / f"python{version}").exists() or shutil.disk_usage(ROOT).free >= NEEDED
    return "" if has_room else "the disk has no room for its environment"


def make(target: str, version: str, *settings: str) -> bool:
    """Make a target in the environment of a version and say how long it took; return whether it succeeded."""
    began = time.monotonic()
    command = ["make", target, f"VENV=build/python{version}", *settings]
    succeeded = subprocess.run(command, cwd=ROOT, env=os.environ | QUICK, check=False).returncode == 0
    print(f"Python {version}: {target} took {time.monotonic() - began:.0f} s", flush=True)
    return succeeded


def run(version: str) -> bool:
    """Run the tests on one version, or say why not; return False if they fail."""
    python = interpreter(version)
    if reason := obstacle(version, python):
        print(f"Python {version}: {reason}, left out", flush=True)
        return True
    settings = (*RUNS[version], f"TESTS={os.environ.get('TESTS') or ROOMS}")
    print(f"Python {version}: {' '.join(settings).lower()}", flush=True)
    environment = make(f"build/python{version}/.tested", version, f"PYTHON={python}")
    return environment and make("test", version, *settings)


def main(versions: list[str]) -> int:
    """Run the tests on these versions, or on all; return the exit code."""
    BUILD.mkdir(exist_ok=True)
    passed = [run(version) for version in versions or RUNS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"of {', '.join(RUNS)} [default: all]")
    options = parser.parse_args()
    if unknown := set(options.versions) - RUNS.keys():
        parser.error(f"no tests are known for Python {', '.join(sorted(unknown))}: give {' or '.join(RUNS)}")
    sys.exit(main(options.versions))
