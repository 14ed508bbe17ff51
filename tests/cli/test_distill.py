"""`wordworth distill` from the command line: what it prints, and its errors."""

import re

import pytest
from click.testing import CliRunner
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.cli.distill import command
from wordworth.errors import BadInput
from wordworth.testing.sample_tasks import sample_task


def test_it_says_what_the_student_scores_and_how_fast_it_is(tmp_path):
    run, rows = write_tuned(tmp_path), write_rows(tmp_path / "train.csv", sample_task("single"))
    arguments = [str(run), "--layers", "1", "--method", "kd", "--data", str(rows), "--out", str(tmp_path / "small")]
    arguments += ["--seeds", "1", "--epochs", "1", "--processes", "1"]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "a student of 1 of 2 layers, taught by kd" in result.output
    assert "ms a text in batches of 32, the teacher" in result.output
    assert "1 seed: how far other seeds would differ" in result.output
    assert "small/report.html" in result.output
    assert (tmp_path / "small/model/wordworth.json").is_file()


def test_it_says_what_every_compared_method_scores_and_gains_with_intervals(tmp_path):
    run, rows = write_tuned(tmp_path), write_rows(tmp_path / "train.csv", sample_task("single"))
    arguments = [str(run), "--layers", "1", "--method", "kd", "--data", str(rows), "--out", str(tmp_path / "small")]
    arguments += ["--seeds", "2", "--epochs", "1", "--processes", "1", "--compare", "finetune,distilbert"]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    number, score = r"\d+\.\d", r"\d+\.\d \(\d+\.\d to \d+\.\d\)"
    assert re.search(rf"^finetune: {score}\.$", result.output, re.MULTILINE)
    change = rf"[+−]?{number} points \(95 %: [+−]?{number} to [+−]?{number}\)"
    gain = rf"{score}; beside finetune {change}, (not )?shown"
    assert re.search(rf"^kd: {gain}\.$", result.output, re.MULTILINE)
    assert re.search(rf"^distilbert: {gain}; beside kd {change}\.$", result.output, re.MULTILINE)


def test_a_method_that_is_unknown_is_refused_before_anything_is_read(tmp_path):
    arguments = ["missing", "--out", str(tmp_path / "small"), "--data", "a.csv", "--method", "kdd"]
    result = CliRunner().invoke(command, arguments)
    assert isinstance(result.exception, BadInput)
    assert "no method 'kdd'" in str(result.exception)


@pytest.mark.parametrize("method", ["pkd-skip", "tinybert", "finetune"])
def test_help_explains_each_method(method):
    assert method in CliRunner().invoke(command, ["--help"]).output


def test_data_is_required_and_help_says_so(tmp_path):
    text = CliRunner().invoke(command, ["--help"]).output
    assert "[required]" in text.partition("--data PATH")[2].partition("--test")[0]
    result = CliRunner().invoke(command, ["run", "--out", str(tmp_path / "small")])
    assert (result.exit_code, "Missing option '--data'" in result.output) == (2, True)


@pytest.mark.parametrize(("options", "mend"), [((), "such as --text text_a"), (("--text-b", "text_b"), "leave it out")])
def test_two_texts_for_a_teacher_of_one_are_refused_with_options_that_distill_has(tmp_path, options, mend):
    rows = tmp_path / "pairs.csv"
    lines = (f"a {n},b {n},{'good' if n % 2 else 'bad'}" for n in range(40))
    rows.write_text("\n".join(["text_a,text_b,label", *lines]))
    arguments = [str(write_tuned(tmp_path)), "--data", str(rows), "--out", str(tmp_path / "small"), *options]
    arguments += ["--method", "kd"]
    error = CliRunner().invoke(command, arguments).exception
    assert isinstance(error, BadInput)
    assert mend in error.in_flags
    assert "--kind" not in error.in_flags
