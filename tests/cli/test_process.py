"""The process of the command line: it leaves early, yet nothing that was written or promised is lost."""

import subprocess
import sys

import pytest

LATE = """
import atexit, sys, threading, time
import wordworth.cli.process as process

def work():
    time.sleep(0.2)
    print("thread")

def main():
    threading.Thread(target=work).start()
    atexit.register(lambda: print("handler"))
    print("command", end=" ")
    {end}

process.main = main
process.run()
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("end", "code"), [("sys.exit(0)", 0), ("sys.exit(2)", 2), ("sys.exit()", 0), ("pass", 0)])
def test_threads_and_exit_handlers_run_and_what_was_written_arrives(end, code):
    done = run("-c", LATE.format(end=end))
    assert (done.returncode, done.stdout, done.stderr) == (code, "command thread\nhandler\n", "")


def test_a_bug_keeps_its_traceback():
    done = run("-c", LATE.format(end="raise KeyError('a bug')"))
    assert done.returncode == 1
    assert "KeyError: 'a bug'" in done.stderr


def test_a_reader_that_goes_away_sees_no_traceback():
    with subprocess.Popen(
        [sys.executable, "-m", "wordworth", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_module_answers_as_the_command_does():
    assert "Usage:" in run("-m", "wordworth", "--help").stdout
    bad = run("-m", "wordworth", "wroth")
    assert bad.returncode == 2
    assert bad.stderr.startswith("wordworth: no command 'wroth'")
