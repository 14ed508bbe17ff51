"""`wordworth study finetuning` from the command line."""

from functools import partial

import pytest
from click.testing import CliRunner
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.cli.study_finetuning import command
from wordworth.studies.finetuning_changes import results
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.slow
def test_the_verdict_is_printed_and_the_page_written(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "train_network", partial(results.train_network, steps=2))
    run, rows = write_tuned(tmp_path), write_rows(tmp_path / "dev.csv", sample_task("single"))
    choices = ["--start", str(tmp_path / "encoder"), "--points", "0", "--limit", "40", "--draws", "100"]
    arguments = [str(run), "--data", str(rows), *choices, "--out", str(tmp_path / "changes")]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "have a CKA of" in result.output
    assert "There is no second run" in result.output
    assert (tmp_path / "changes" / "report.html").is_file()


def test_a_folder_without_a_run_is_refused(tmp_path):
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert "not the folder of a fine-tuned model" in str(result.exception)
