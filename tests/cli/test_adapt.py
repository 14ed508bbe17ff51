"""`wordworth adapt` from the command line: a plan writes no model, and has options of its own."""

import pytest
from click.testing import CliRunner
from tests.studies.adaptation.conftest import corpus, model, one_thread, other, texts  # noqa: F401 - fixtures

from wordworth.cli.adapt import command


def invoke(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_a_plan_says_what_adapting_promises_and_writes_its_page(model, texts, tmp_path):  # noqa: F811
    arguments = ("--plan", "--corpus", texts / "corpus.jsonl", "--task", texts / "task.jsonl", "--steps", 1)
    result = invoke(model, *arguments, "--device", "cpu", "--out", tmp_path / "plan")
    assert result.exit_code == 0, result.output
    assert "the task's language" in result.output
    assert "Frequent words of one half of the task's texts" in result.output
    assert "One pass over" in result.output
    assert sorted(path.name for path in (tmp_path / "plan").iterdir()) == ["record.json", "report.html"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--plan"], "a plan needs the texts that the model is adapted for"),
        (["--plan", "--task", "task.csv", "--epochs", "3"], "this is not for a plan"),
        (["--task", "task.csv", "--out", "new"], "this is for a plan"),
        ([], "adapting writes a model"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, error):
    result = invoke("mini", "--corpus", "notes", *arguments)
    assert result.exit_code
    assert error in str(result.exception)
