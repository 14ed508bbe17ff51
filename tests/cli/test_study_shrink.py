"""`wordworth study shrink` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.cli.study_shrink import command
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.slow
def test_it_says_which_smaller_model_is_enough_or_that_it_cannot_tell(tmp_path):
    run, rows = write_tuned(tmp_path), write_rows(tmp_path / "dev.csv", sample_task("single"))
    arguments = [str(run), "--data", str(rows), "--limit", "60", "--draws", "100", "--out", str(tmp_path / "shrink")]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "1.0 point of accuracy" in result.output
    assert "shrink/report.html" in result.output
    assert "changes of a few points cannot be told from luck" in result.output


def test_rows_that_are_not_there_are_an_error_before_torch_is_imported(tmp_path):
    result = CliRunner().invoke(command, ["mini", "--data", str(tmp_path / "none.csv")])
    assert result.exit_code
    assert "none.csv" in str(result.exception)
