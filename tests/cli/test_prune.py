"""`wordworth prune` from the command line: what it prints, and its errors."""

from pathlib import Path

from click.testing import CliRunner
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.cli.prune import command
from wordworth.testing.sample_tasks import sample_task


def test_it_says_what_was_written_and_which_library_loads_it(tmp_path):
    run, rows = write_tuned(tmp_path), write_rows(tmp_path / "dev.csv", sample_task("single"))
    arguments = [str(run), "--heads", "0.5", "--data", str(rows), "--limit", "60", "--out", str(tmp_path / "small")]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "small: heads removed" in result.output
    assert "2 layers and 4 heads are left" in result.output
    assert "rows that ranked no head, before" in result.output
    assert "ms a text in batches of 32, before" in result.output
    assert "small/report.html" in result.output
    assert "Only Wordworth loads it; it computes less." in result.output
    result = CliRunner().invoke(command, [str(run), "--layers", "1", "--out", str(tmp_path / "short")])
    assert "short: layers dropped" in result.output
    assert "1 layer and 4 heads are left" in result.output
    assert "No labelled rows were given" in result.output
    assert "Every library that loads the whole model loads it" in result.output


def test_a_choice_that_contradicts_itself_is_refused_before_anything_is_read(tmp_path):
    result = CliRunner().invoke(command, ["missing", "--out", str(tmp_path / "small")])
    assert result.exit_code
    assert "neither heads nor layers" in str(result.exception)


def test_help_and_docs_promise_less_computation_and_no_speed():
    text = CliRunner().invoke(command, ["--help"]).output
    assert "computes less" in " ".join(text.split())
    table = (
        (Path(__file__).parents[2] / "docs" / "heads.md")
        .read_text("utf-8")
        .split("## A smaller model")[1]
        .split("With `")[0]
    )
    assert "| computes |" in table
    assert "faster" not in text + table
