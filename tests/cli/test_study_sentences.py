"""`wordworth study sentences` from the command line."""

from click.testing import CliRunner
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.training.sentences.sentence_files import scored

import wordworth as ww
from wordworth.cli.study_sentences import command
from wordworth.errors import BadInput


def test_options_take_several_values_and_the_verdict_is_printed(tmp_path):
    model, pairs = write_tiny_encoder(tmp_path / "tiny"), scored(tmp_path / "pairs.csv", 40)
    options = [
        "--other-models",
        str(write_tiny_encoder(tmp_path / "other")),
        "mini",
        "--dimensions",
        "8",
        "16",
        "--draws",
        "100",
        "--out",
        str(tmp_path / "run"),
    ]
    result = CliRunner().invoke(
        command, ["--model", str(model), "--data", str(pairs), *options], catch_exceptions=False
    )
    assert "tiny: Spearman × 100 on pairs.csv" in result.output
    assert "run/report.html" in result.output
    names = set(ww.read_record(tmp_path / "run").table("scores")["system"])
    assert {"own", "first 8 numbers", "first 16 numbers", "other", "mini", "cls"} <= names


def test_an_unknown_set_is_refused(tmp_path):
    result = CliRunner().invoke(command, ["--model", "mini", "--sets", "sts17", "--out", str(tmp_path / "run")])
    assert isinstance(result.exception, BadInput)
    assert "no set 'sts17'" in str(result.exception)
