"""The fast tests on other versions of Python: which are tried, how, and what is printed of them."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from scripts import test_pythons as script


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """The commands that would have been run; each succeeds."""
    ran = []

    def run(command, **_):
        ran.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(script, "BUILD", tmp_path)
    monkeypatch.setattr(script, "interpreter", lambda version: f"/bin/python{version}")
    monkeypatch.setattr(script.shutil, "disk_usage", lambda _: SimpleNamespace(free=script.NEEDED))
    monkeypatch.setattr(script.subprocess, "run", run)
    monkeypatch.delenv("TESTS", raising=False)
    return ran


def test_each_version_has_its_environment_made_and_its_tests_run(commands):
    assert script.main([]) == 0
    assert [command[1] for command in commands] == [
        "build/python3.12/.tested",
        "test",
        "build/python3.13/.tested",
        "test",
    ]
    assert "THREADS=2" in commands[1]
    assert "VENV=build/python3.13" in commands[3]
    assert f"TESTS={script.ROOMS}" in commands[1]


def test_all_tests_can_be_asked_for(commands, monkeypatch):
    monkeypatch.setenv("TESTS", "tests")
    script.main(["3.13"])
    assert "TESTS=tests" in commands[1]


def test_one_version_can_be_named(commands):
    script.main(["3.12"])
    assert {command[2] for command in commands} == {"VENV=build/python3.12"}


def test_a_version_that_is_not_installed_is_left_out_with_a_line(commands, capsys, monkeypatch):
    monkeypatch.setattr(script, "interpreter", lambda _: None)
    assert script.main([]) == 0
    assert "Python 3.12: not installed, left out" in capsys.readouterr().out
    assert not commands


def test_a_disk_without_room_leaves_a_version_out_unless_its_environment_is_there(commands, capsys, monkeypatch):
    monkeypatch.setattr(script.shutil, "disk_usage", lambda _: SimpleNamespace(free=script.NEEDED - 1))
    (script.BUILD / "python3.13").mkdir()
    assert script.main([]) == 0
    assert "Python 3.12: the disk has no room for its environment, left out" in capsys.readouterr().out
    assert {command[2] for command in commands} == {"VENV=build/python3.13"}


def test_tests_that_fail_on_one_version_fail_the_whole_and_the_others_are_run(commands, monkeypatch):
    ran = script.subprocess.run
    monkeypatch.setattr(
        script.subprocess,
        "run",
        lambda command, **more: (
            ran(command, **more) if "THREADS=2" not in command else subprocess.CompletedProcess(command, 2)
        ),
    )
    assert script.main([]) == 1
    assert "VENV=build/python3.13" in commands[-1]


def test_the_interpreter_of_a_version_is_one_that_runs(tmp_path, monkeypatch):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(script, "candidates", lambda _: iter([str(broken), "no-such-program", sys.executable]))
    assert script.interpreter("3.12") == sys.executable
    monkeypatch.setattr(script, "candidates", lambda _: iter([str(broken)]))
    assert script.interpreter("3.12") is None
