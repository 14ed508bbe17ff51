"""`wordworth export` from the command line: what it prints, and its errors."""

from click.testing import CliRunner
from tests.models.tiny import write_tiny

from wordworth.cli.export import command


def test_it_says_what_was_written_and_how_large_it_is(tmp_path):
    encoder, out = write_tiny(tmp_path / "encoder", "bert"), tmp_path / "shared"
    result = CliRunner().invoke(
        command, [str(encoder), "--to", "sentence-transformers", "--out", str(out)], catch_exceptions=False
    )
    assert "shared: sentence-transformers, 0." in result.output
    assert "MB" in result.output


def test_a_form_that_does_not_exist_is_refused(tmp_path):
    result = CliRunner().invoke(command, ["mini", "--to", "pdf", "--out", str(tmp_path / "x")])
    assert result.exit_code
    assert "sentence-transformers" in str(result.exception)
