"""`wordworth study languages` from the command line."""

from click.testing import CliRunner
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.languages.conftest import rows, write

import wordworth as ww
from wordworth.cli.study_languages import command
from wordworth.errors import BadInput


def run(tmp_path, *options):
    model = write_tiny_encoder(tmp_path / "tiny")
    data = write(tmp_path / "texts.csv", rows())
    arguments = ["--model", str(model), "--data", str(data), "--draws", "100", *options, "--out", str(tmp_path / "run")]
    return CliRunner().invoke(command, arguments)


def test_options_take_several_values_and_the_verdict_is_printed(tmp_path):
    result = run(tmp_path, "--languages", "cc", "aa", "--source", "cc", "--item", "index")
    assert "of 2 languages." in result.output
    assert "run/report.html" in result.output
    assert ww.read_record(tmp_path / "run").data["languages"] == ["cc", "aa"]


def test_a_language_that_is_not_there_is_refused(tmp_path):
    result = run(tmp_path, "--languages", "aa", "dd")
    assert isinstance(result.exception, BadInput)
    assert "no text in 'dd'" in str(result.exception)


def test_a_named_set_that_is_not_on_this_machine_is_refused(tmp_path, monkeypatch):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    result = CliRunner().invoke(command, ["--data", "xquad", "--out", str(tmp_path / "run")])
    assert isinstance(result.exception, BadInput)
    assert "the files of xquad are not on this machine" in str(result.exception)
