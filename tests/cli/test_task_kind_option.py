"""Kinds of task under their names of today and under former ones."""

import click
import pytest
from click.testing import CliRunner

from wordworth.cli.task_kind_option import task_kind_option


@click.command()
@task_kind_option("The kind of task.")
def command(kind):
    click.echo(f"kind {kind}")


@pytest.mark.parametrize(
    ("given", "today"), [("single", "classification"), ("span", "question_answering"), ("tags", "tagging")]
)
def test_a_former_name_works_with_one_line_of_notice(given, today):
    ran = CliRunner().invoke(command, ["--kind", given])
    assert ran.output.splitlines()[-1] == f"kind {today}"
    assert ran.stderr == f"wordworth: --kind {given} is called --kind {today} now\n"


def test_the_name_of_today_and_an_unknown_one_pass_without_notice():
    for name in ("regression", "ordinal"):
        ran = CliRunner().invoke(command, ["--kind", name])
        assert (ran.stdout, ran.stderr) == (f"kind {name}\n", "")
