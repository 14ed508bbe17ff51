"""The pages of docs/extending: their Python blocks make one module outside the package, and their tests pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_INDEX = Path(__file__).parents[2] / "docs" / "extending" / "README.md"
PAGES = sorted(set(_INDEX.parent.glob("*.md")) - {_INDEX})
SLOW = {"architecture", "objective", "rung", "task-type"}
"""Pages whose code trains models."""
RUN = "import sys, outside; exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'), vars(outside))"


def blocks(page: Path, tag: str) -> str:
    """The blocks of a page under one tag, in order."""
    found = re.findall(rf"^```{tag}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found, f"{page.name} has no blocks of {tag}"
    return "\n\n".join(found)


def test_the_index_names_every_page():
    index = _INDEX.read_text(encoding="utf-8")
    assert all(f"({page.name})" in index for page in PAGES)


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.stem, marks=[pytest.mark.slow] * (page.stem in SLOW)) for page in PAGES]
)
def test_the_code_of_a_page_works(page, tmp_path):
    """In a process of its own, as a page registers things for the whole process."""
    (tmp_path / "outside.py").write_text(blocks(page, "python"), encoding="utf-8")
    (tmp_path / "page_test.py").write_text(blocks(page, "python test"), encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run(
        [sys.executable, "-c", RUN, "page_test.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
