"""Registries: built-in things, those that a caller registers, and those of installed packages."""

import sys

import pytest

from wordworth import registry
from wordworth.errors import BadInput
from wordworth.registry import Registry


@pytest.fixture
def paths():
    return Registry[type](
        "path", group="wordworth.test_paths", builtin={"pure": "pathlib:PurePath"}, former={"plain": "pure"}
    )


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package with two entry points, one of which cannot be imported."""
    info = tmp_path / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[wordworth.test_paths]\nmine = outside:Mine\nbroken = outside:Missing\n")
    (tmp_path / "outside.py").write_text("class Mine: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("outside", None)


def test_a_built_in_thing_is_imported_by_its_name_or_its_former_name(paths):
    assert paths.get("pure").__name__ == "PurePath"
    assert paths.get("plain") is paths.get("pure")


def test_a_thing_of_the_caller_is_there_once_registered(paths):
    paths.register("own", dict)
    paths.register("own", dict)
    assert paths.get("own") is dict
    assert paths.names() == ["pure", "own"]


def test_a_name_that_is_taken_is_refused(paths):
    with pytest.raises(BadInput, match="there is a path 'pure' already"):
        paths.register("pure", dict)


@pytest.mark.usefixtures("package")
def test_an_installed_package_brings_its_own(paths):
    assert paths.names() == ["pure", "mine", "broken"]
    assert paths.get("mine").__module__ == "outside"


@pytest.mark.usefixtures("package")
def test_a_package_that_cannot_be_imported_is_one_clear_error(paths):
    with pytest.raises(BadInput, match=r"outside: cannot import the path 'broken' .*; mend that package"):
        paths.get("broken")


def test_an_unknown_name_is_answered_with_the_nearest(paths):
    with pytest.raises(BadInput, match=r"unknown path 'pur'; .*pure"):
        paths.get("pur")


def test_what_a_caller_registers_is_known_to_be_of_this_process_alone():
    paths = Registry[type]("path of a caller", group="wordworth.test_paths", builtin={})
    before = set(registry._CALLERS)
    try:
        paths.register("own", dict)
        assert registry.has_callers_objects()
    finally:
        registry._CALLERS.intersection_update(before)
