"""The command of a study of another package is made of the study's inputs and settings."""

import json
from dataclasses import dataclass
from importlib import import_module

import click
import pytest
from click.testing import CliRunner
from tests.cli.terminal import wordworth

from wordworth.cli.study import OURS, command, command_of, studies
from wordworth.records import Finding
from wordworth.settings_validation import at_least, setting
from wordworth.studies import STUDIES
from wordworth.studies.study import Study, make_record


@dataclass(frozen=True, kw_only=True)
class Settings:
    factor: int = setting(2, "What to multiply by.", at_least(1))


def multiply(number_of_things, settings, progress):  # noqa: ARG001 - a study
    verdict = Finding("verdict", f"It is {settings.factor * int(number_of_things)}.")
    warning = Finding("warning.large", "That is a lot.")
    return make_record("times", settings, {"name": "n"}, tables={}, findings=[verdict, warning], seconds={})


TIMES = Study("times", "Multiply a number.", Settings, multiply, inputs={"number_of_things": "The number."})


def test_it_has_an_option_for_each_input_and_each_setting():
    text = CliRunner().invoke(command_of(TIMES), ["--help"]).output
    assert "Multiply a number." in text
    for option in ("--number-of-things", "--factor", "--out"):
        assert option in text


def test_it_writes_the_record_and_prints_the_verdict_the_warnings_and_the_page(tmp_path):
    done = CliRunner().invoke(command_of(TIMES), ["--number-of-things", "4", "--factor", "3", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert [line for line in done.stdout.splitlines() if line] == [
        "It is 12.", "Before you trust it:", "- That is a lot.", str(tmp_path / "report.html"),
    ]  # fmt: skip
    assert json.loads((tmp_path / "record.json").read_text())["settings"] == {"factor": 3}


def test_an_input_that_is_missing_is_asked_for():
    done = CliRunner().invoke(command_of(TIMES), ["--factor", "3"])
    assert done.exit_code == 2
    assert "--number-of-things" in done.output


def test_a_registered_study_is_offered_and_found_beside_ours(monkeypatch):
    monkeypatch.setattr(STUDIES, "names", lambda: (*OURS, "times"))
    monkeypatch.setattr(STUDIES, "get", lambda name: TIMES if name == "times" else None)
    assert list(studies()) == [*OURS, "times"]
    assert studies()["times"] == "Multiply a number."
    times_command = command.get_command(click.Context(command), "times")
    assert {parameter.name for parameter in times_command.params} >= {"number_of_things", "factor", "out"}


@pytest.mark.parametrize("name", OURS)
def test_each_of_our_studies_has_a_module_with_its_command(name):
    module = import_module(f"wordworth.cli.study_{name}")
    assert command.get_command(click.Context(command), name) is module.command


def test_a_study_that_is_none_is_answered_with_the_nearest():
    done = wordworth("study", "contxt")
    assert done.code == 2
    assert "no study 'contxt'; did you mean 'context'?" in done.err
