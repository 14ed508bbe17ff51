"""`wordworth study heads` from the command line."""

import pytest
from click.testing import CliRunner
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.cli.study_heads import command
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.slow
def test_the_verdict_is_printed_and_the_page_written(tmp_path):
    run, rows = write_tuned(tmp_path), write_rows(tmp_path / "dev.csv", sample_task("single"))
    arguments = [str(run), "--data", str(rows), "--limit", "60", "--draws", "100", "--out", str(tmp_path / "heads")]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "heads" in result.output
    assert (tmp_path / "heads" / "report.html").is_file()


def test_a_folder_without_a_run_is_refused(tmp_path):
    result = CliRunner().invoke(command, [str(tmp_path), "--data", "rows.csv"])
    assert "not the folder of a fine-tuned model" in str(result.exception)


def test_help_says_in_which_number_type_scores_are_computed():
    text = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    assert "in bfloat16 where the processor has it; importance in float32" in text
