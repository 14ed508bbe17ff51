from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner
from tests.cli.terminal import wordworth

from wordworth.cli import lazy_group
from wordworth.cli.lazy_group import LazyGroup


def test_the_former_name_of_a_command_still_works_and_a_line_names_todays(tmp_path):
    result = wordworth("page", tmp_path / "none.json")
    assert result.code == 2
    assert result.err.startswith("wordworth: the command page is called report now\n")
    assert "\n  page " not in wordworth("--help").out


IMPORTED = []


@pytest.fixture
def group(monkeypatch):
    """A group of two commands, whose modules are made when they are imported."""
    IMPORTED.clear()

    def make(name):
        IMPORTED.append(name)
        command = click.Command(name, callback=lambda: click.echo(f"ran {name}"))
        return SimpleNamespace(command=command)

    monkeypatch.setattr(lazy_group, "import_module", make)
    offered = {"make-tea": "Make tea.", "pour": "Pour it."}
    named = {"modules": "kitchen.", "called": ("chore", "Chores"), "former": {"brew": "make-tea"}}
    return LazyGroup(name="kitchen", offered=lambda: offered, **named)


def test_help_lists_every_command_in_order_and_imports_none(group):
    text = CliRunner().invoke(group, ["--help"]).stdout
    assert text.index("Chores:") < text.index("make-tea") < text.index("Make tea.") < text.index("pour")
    assert IMPORTED == []


def test_only_the_command_that_is_run_is_imported(group):
    assert CliRunner().invoke(group, ["make-tea"]).stdout == "ran kitchen.make_tea\n"
    assert IMPORTED == ["kitchen.make_tea"]


def test_a_former_name_runs_the_command_of_today_and_says_so(group):
    result = CliRunner().invoke(group, ["brew"])
    assert result.stdout == "ran kitchen.make_tea\n"
    assert result.stderr == "wordworth: the chore brew is called make-tea now\n"


def test_a_misspelt_name_is_answered_with_the_nearest_and_nothing_is_imported(group):
    result = CliRunner().invoke(group, ["poor"])
    assert result.exit_code == 2
    assert "no chore 'poor'; did you mean 'pour'?" in result.stderr
    assert IMPORTED == []


def test_a_name_that_no_command_has_is_none(group):
    assert group.get_command(click.Context(group), "brew") is None
    assert group.list_commands(click.Context(group)) == ["make-tea", "pour"]
