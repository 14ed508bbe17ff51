"""Recipes as programs: their errors and exit codes."""

import pytest

from parts.program import run_program
from wordworth.errors import BadInput


def of(error):
    def main():
        if error is not None:
            raise error

    with pytest.raises(SystemExit) as stopped:
        run_program(main)
    return stopped.value.code


def test_bad_input_is_one_line_and_exit_code_2(capsys):
    assert of(BadInput("there is nothing to do", where="runs/", mend="ask for\nanother stage")) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "nothing to do" in message
    assert "ask for another stage" in message


def test_success_is_0_an_interruption_is_130_and_a_bug_keeps_its_traceback(capsys):
    assert of(None) == 0
    assert of(KeyboardInterrupt()) == 130
    assert "stopped" in capsys.readouterr().err
    with pytest.raises(ZeroDivisionError):
        run_program(lambda: 1 / 0)
