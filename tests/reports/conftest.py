"""What the pages' tests share: the modules beside them, and one browser a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from chromium import Tab

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    """A page of a browser that runs as long as the tests of one file."""
    from chromium import chromium, installed

    program = installed()
    assert program is not None
    with chromium(program) as opened:
        yield opened
