"""Every example in a docstring does what it shows."""

import doctest
import importlib
from pathlib import Path

import pytest

import wordworth

ROOT = Path(wordworth.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.failed == 0
    assert found.attempted > 0 or "+SKIP" in Path(importlib.import_module(module).__file__).read_text(encoding="utf-8")
