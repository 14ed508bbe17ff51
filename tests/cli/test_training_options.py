import click
import pytest
from click.testing import CliRunner

from wordworth.cli.training_options import override_option, progress, say_result
from wordworth.training.pretraining.recipe import FORMER_NAMES
from wordworth.training.pretraining.run import PretrainingResult


@pytest.mark.parametrize(("rank", "speaks"), [("0", True), ("1", False)])
def test_of_several_processes_the_first_one_speaks(monkeypatch, capsys, tmp_path, rank, speaks):
    monkeypatch.setenv("RANK", rank)
    say_result(PretrainingResult(tmp_path, 3, 100, 1.5, {}))
    progress().note("done")
    output = capsys.readouterr()
    assert ("3 steps" in output.out) == speaks
    assert ("done" in output.err) == speaks


@click.command("train")
@override_option
def train(override):
    click.echo(repr(override))


def test_changes_are_given_one_after_the_other():
    result = CliRunner().invoke(train, ["--override", "dropout=0.1", "--override", "norm=pre"])
    assert (result.stdout, result.stderr) == ("('dropout=0.1', 'norm=pre')\n", "")


def test_a_former_name_of_a_setting_is_todays_and_a_line_says_so():
    former, today = next(iter(FORMER_NAMES.items()))
    result = CliRunner().invoke(train, ["--override", f"{former}=8"])
    assert result.stdout == f"('{today}=8',)\n"
    assert result.stderr == f"wordworth: {former} is called {today} now\n"


def test_the_result_is_one_line_with_the_folder_the_length_and_the_loss(capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    say_result(PretrainingResult(tmp_path, 1, 12_345, 1.23456, {}))
    assert capsys.readouterr().out == f"{tmp_path}: 1 step, 12,345 tokens, loss 1.235\n"
