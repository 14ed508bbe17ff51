"""`import wordworth`: what it offers, and that it costs nothing until it is used."""

import subprocess
import sys

import pytest

import wordworth as ww


def test_the_public_names_are_these():
    assert ww.__all__ == [
        "LongTextWarning",
        "Record",
        "evaluate",
        "fill",
        "finetune",
        "load",
        "named_task",
        "predict",
        "read_record",
        "worth",
    ]
    assert set(ww.__all__) <= set(dir(ww))


def test_every_public_name_can_be_had():
    assert all(callable(getattr(ww, name)) for name in ww.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'wroth'"):
        ww.wroth  # noqa: B018 - looking is the test


def test_importing_it_imports_neither_torch_nor_numpy():
    code = "import sys, wordworth; print({'torch', 'numpy', 'pandas', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
