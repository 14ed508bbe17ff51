"""`wordworth study shrink` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.cli.study_shrink import command
from wordworth.testing.sample_tasks import sample_task


def shrink(model, rows, folder):
    arguments = [str(model), "--data", str(rows), "--limit", "100", "--draws", "100", "--out", str(folder / "shrink")]
    return CliRunner().invoke(command, arguments, catch_exceptions=False).output


@pytest.mark.slow
def test_it_says_which_smaller_model_is_enough_or_that_it_cannot_tell(tmp_path):
    words = ("wonderful", "terrible")
    lines = [f"a {words[n % 2]} film of {n} minutes,{words[n % 2]}" for n in range(120)]
    (tmp_path / "clear.csv").write_text("\n".join(["text,label", *lines]), encoding="utf-8")
    output = shrink("mini", tmp_path / "clear.csv", tmp_path)
    assert "1.0 point of accuracy" in output
    assert "shrink/report.html" in output
    assert "changes of a few points cannot be told from luck" in output


@pytest.mark.slow
def test_of_a_model_that_learned_nothing_it_says_first_that_nothing_can_be_shrunk(tmp_path):
    rows = write_rows(tmp_path / "dev.csv", sample_task("single"))
    output = shrink(write_tuned(tmp_path), rows, tmp_path)
    assert "\nNothing to shrink: the whole model does not surely beat a constant answer.\nThe whole model (" in output
    assert "1.0 point of accuracy" not in output


def test_rows_that_are_not_there_are_an_error_before_torch_is_imported(tmp_path):
    result = CliRunner().invoke(command, ["mini", "--data", str(tmp_path / "none.csv")])
    assert result.exit_code
    assert "none.csv" in str(result.exception)
