"""Recipes and benchmarks as programs: their errors and exit codes, and the record that they go on from."""

import argparse
import subprocess
import sys

import pytest

from wordworth.cli.scripts import part_of_record, recorded_lines, recorded_part, run_script, writable_path
from wordworth.errors import BadInput


def ended(main, capsys):
    """Exit code of a script, and what it wrote to standard error."""
    with pytest.raises(SystemExit) as stopped:
        run_script(main)
    return stopped.value.code, capsys.readouterr().err


def raises(error):
    def main():
        raise error

    return main


def test_bad_input_is_one_line_and_exit_code_2(capsys):
    error = BadInput("there is nothing to do", where="runs/", mend="ask for\nanother stage")
    code, message = ended(raises(error), capsys)
    assert code == 2
    assert message.count("\n") == 1
    assert "runs/: there is nothing to do; ask for another stage" in message


def test_a_file_that_is_not_there_or_cannot_be_written_is_one_line(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    for main, words in (
        ((tmp_path / "missing" / "all.csv").read_text, "all.csv: no such file or folder; check the path"),
        (lambda: (tmp_path / "file" / "out.json").write_text(""), "out.json: not a directory"),
        (lambda: tmp_path.write_text(""), "is a directory"),
    ):
        code, message = ended(main, capsys)
        assert (code, message.count("\n")) == (2, 1)
        assert words in message


def test_bad_input_of_a_process_that_a_script_started_is_bad_input_of_the_script(capsys):
    code = "import sys; sys.stderr.write('a warning\\nno rows\\n'); sys.exit({0})"
    command = [sys.executable, "-c", code.format(2)]
    outcome = ended(lambda: subprocess.run(command, check=True, capture_output=True, text=True), capsys)
    assert outcome == (2, f"{sys.argv[0]}: no rows\n")
    assert ended(lambda: subprocess.run(command, check=True), capsys)[0] == 2
    command = [sys.executable, "-c", code.format(1)]
    with pytest.raises(subprocess.CalledProcessError):
        run_script(lambda: subprocess.run(command, check=True, capture_output=True))


def test_an_out_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    (tmp_path / "file").write_text("")
    assert writable_path(str(tmp_path / "new" / "out.json")) == tmp_path / "new" / "out.json"
    with pytest.raises(argparse.ArgumentTypeError, match="this is a file, not a folder; choose another --out"):
        writable_path(str(tmp_path / "file" / "out.json"))


def test_success_is_0_an_interruption_is_130_and_a_bug_keeps_its_traceback(capsys):
    assert ended(lambda: None, capsys) == (0, "")
    code, message = ended(raises(KeyboardInterrupt()), capsys)
    assert code == 130
    assert "stopped" in message
    with pytest.raises(ZeroDivisionError):
        run_script(lambda: 1 / 0)


def test_the_rows_of_a_record_are_read(tmp_path):
    out = tmp_path / "record.json"
    assert recorded_part(None, "sets", list) == recorded_part(out, "sets", list) == []
    assert recorded_part(out, "cells", dict) == {}
    out.write_text('{"sets": [{"set": "mr"}], "cells": {"a": 1}}')
    assert recorded_part(out, "sets", list) == [{"set": "mr"}]
    assert recorded_part(out, "cells", dict) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", "holds an array, not a JSON object"),
        ('{"rows": []}', "this file is damaged: no field 'sets'"),
        ('{"sets": {}}', "this file is damaged: 'sets' is {}"),
        ('{"sets": [', "not a whole JSON file"),
    ],
)
def test_another_file_is_refused_for_what_is_wrong_with_it(text, what, tmp_path):
    out = tmp_path / "record.json"
    out.write_text(text)
    with pytest.raises(BadInput) as refused:
        recorded_part(out, "sets", list)
    assert what in refused.value.in_flags
    assert refused.value.in_flags.startswith(f"{out}: ")
    assert refused.value.in_flags.endswith("; give another --out")


def test_a_record_that_is_read_must_be_there(tmp_path):
    with pytest.raises(BadInput, match=r"few\.json: cannot read"):
        part_of_record(tmp_path / "few.json", "rows", list)


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (lambda out: recorded_part(out, "sets", list), "no field 'score' in sets[1]; give another --out"),
        (lambda out: part_of_record(out, "sets", list), "no field 'score' in sets[1]; give another record"),
        (lambda out: recorded_lines(out.with_suffix(".jsonl")), "line 2: this file is damaged: no field 'score'"),
    ],
)
def test_a_field_that_a_record_lacks_is_one_line_and_exit_code_2(read, what, tmp_path, capsys):
    out = tmp_path / "record.json"
    out.write_text('{"sets": [{"set": "mr", "score": 0.5}, {"set": "mpqa"}]}')
    out.with_suffix(".jsonl").write_text('{"set": "mr", "score": 0.5}\n{"set": "mpqa"}\n')
    code, message = ended(lambda: [row["score"] for row in read(out)], capsys)
    assert (code, message.count("\n")) == (2, 1)
    assert str(out) in message
    assert what in message


def test_lines_of_an_earlier_run_are_read_and_a_damaged_one_is_named(tmp_path):
    path = tmp_path / "cells.jsonl"
    assert recorded_lines(path) == []
    path.write_text('{"set": "mr", "score": 0.5}\n{"set": "mpqa"}\n')
    assert recorded_lines(path) == [{"set": "mr", "score": 0.5}, {"set": "mpqa"}]
    for line, what in (('{"set": "m', "this line is not JSON"), ("[1]", "this line holds an array")):
        path.write_text(f'{{"set": "mr"}}\n{line}\n')
        with pytest.raises(BadInput, match=f"cells.jsonl, line 2: {what}"):
            recorded_lines(path)
