"""`import wordworth`: what it offers, and that it costs nothing until it is used."""

import subprocess
import sys

import pytest

import wordworth as ww


def test_the_public_names_are_in_order_and_known():
    assert ww.__all__ == sorted(ww.__all__)
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


def test_the_package_of_models_is_the_function_of_that_name():
    assert "mini" in [entry.name for entry in ww.models()]
    from wordworth.models import load

    assert load.load is ww.load


@pytest.mark.slow
def test_type_checkers_see_the_types_of_what_loads_late(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import wordworth as ww\n"
        "reveal_type(ww.worth)\n"
        "reveal_type(ww.embed(['a']))\n"
        "reveal_type(ww.models())\n"
        "ww.finetune('cola', out='run', learning_rat=1e-4)\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "user.py", "--python-executable", sys.executable, "--follow-imports=silent"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    ).stdout  # fmt: skip
    assert "margin: float =" in found
    assert "ndarray" in found
    assert "list[wordworth.catalogue.Entry]" in found
    assert 'Unexpected keyword argument "learning_rat" for "finetune"' in found
