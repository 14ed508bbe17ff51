"""Where the shared data lie, for tests that need them."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


def shared(*parts: str) -> Path:
    """A folder of the shared data; the test is skipped where it is absent."""
    base = Path(os.environ.get("WORDWORTH_DATA") or ROOT / "shared" / "data")
    path = base.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(parts)} of the shared data (WORDWORTH_DATA)")
    return path
