"""The process of the command line: it leaves early, yet nothing that was written or promised is lost."""

import subprocess
import sys

import pytest

LATE = """
import atexit, sys, threading, time
import wordworth.cli.entry_point as process

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


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["worth", "{rows}", "--model", "nothere"], "no model, folder or file 'nothere'"),
        (["worth", "{rows}", "--vectors", "nothere"], "no model, folder or file 'nothere'"),
        (["worth", "nothere.csv"], "there is no such file"),
        (["finetune", "--data", "{rows}", "--model", "nothere"], "no model, folder or file 'nothere'"),
        (["finetune", "--data", "nothere.csv"], "there is no such file"),
        (["predict", "nothere", "{rows}", "--out", "answers.csv"], "no such folder, so not the folder of a fine-tuned"),
    ],
)
def test_what_is_not_there_is_refused_before_files_are_read_or_torch_is_loaded(tmp_path, command, message):
    rows = tmp_path / "rows.csv"
    rows.write_text("not,read\n" * 3)
    words = [word.format(rows=rows) for word in command]
    code = """
import sys
from pathlib import Path
def refuse(path): raise AssertionError(f"{path} was read")
Path.read_bytes = refuse
from wordworth.cli.app import main
try:
    main()
finally:
    print(sorted({"torch", "sklearn"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=tmp_path, check=False, timeout=120
    )
    assert message in done.stderr, done.stderr
    assert done.returncode == 2
    assert command[0] == "predict" or done.stdout == "[]\n"


def test_a_misspelt_option_gets_the_name_of_the_near_one():
    def refused(*words):
        return subprocess.run(
            [sys.executable, "-m", "wordworth", *words], capture_output=True, text=True, check=False, timeout=120
        ).stderr

    assert "No such option '--learn-rate'; did you mean '--learning-rate'?" in refused(
        "finetune", "cola", "--learn-rate", "1"
    )
    assert "No such option '--btach-size'; did you mean '--batch-size'?" in refused(
        "finetune", "cola", "--btach-size", "1"
    )
    assert "No such option '--warmup'; see" in refused("finetune", "cola", "--warmup", "1")
    assert "No such option '--model'; give MODEL without a flag; see" in refused("serve", "--model", "minilm")
