"""An import circle is found, also one of types, and one inside a function is none."""

import pytest

from scripts import check_circles


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.setattr(check_circles, "SOURCE", tmp_path)

    def write(**modules):
        for name, code in modules.items():
            (tmp_path / f"{name}.py").write_text(code)

    return write


def test_modules_without_a_circle_pass(package, capsys):
    package(a="import b\n", b="import c\n", c="")
    assert check_circles.main() == 0
    assert "3 modules" in capsys.readouterr().out


@pytest.mark.parametrize(
    "importing", ["import a\n", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\n"]
)
def test_a_circle_is_printed(package, capsys, importing):
    package(a="import b\n", b=importing)
    assert check_circles.main() == 1
    assert " -> " in capsys.readouterr().out


def test_an_import_inside_a_function_makes_no_circle(package):
    package(a="import b\n", b="def f():\n    import a\n")
    assert check_circles.main() == 0
