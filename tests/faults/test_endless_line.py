"""A corpus that is one line without end: read where it fits, refused in one clear line where it does not."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.terminal import wordworth
from tests.training.pretraining.conftest import PIECES

PEAK = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""Runs a command and prints its peak of memory in kilobytes, without that of the tests' process, which forks it."""
SENTENCE = "the cat sat on the mat . "
COMMANDS = {
    "tokenizer": ["--size", "100"],
    "pretrain": [
        "--tokenizer",
        "tok",
        "--steps",
        "2",
        "--model-size",
        "1x32",
        "--override",
        "batch_size=8",
        "--threads",
        "1",
    ],
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tok").mkdir()
    Path("tok/vocab.txt").write_text("\n".join(PIECES) + "\n")


def line_of(size: int) -> None:
    Path("endless.txt").write_text((SENTENCE * (size // len(SENTENCE) + 1))[:size])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_line_longer_than_any_text_is_refused_at_once_and_nothing_is_left(command):
    line_of(2**26 + 1)
    began = time.monotonic()
    done = wordworth(command, "endless.txt", *COMMANDS[command], "--out", "out")
    assert done.code == 2
    last = done.err.splitlines()[-1]
    assert last.startswith("wordworth: endless.txt, line 1: this line is longer than 67,108,864 bytes")
    assert "put line breaks where its texts end" in last
    assert "Traceback" not in done.err
    assert not list(Path("out").rglob("*.*"))
    assert time.monotonic() - began < 30


@pytest.mark.slow  # thirty seconds
@pytest.mark.parametrize("command", COMMANDS)
def test_a_line_of_thirty_megabytes_is_text_like_any_other_and_takes_no_more_than_two_gigabytes(command):
    line_of(30_000_000)
    words = [sys.executable, "-m", "wordworth", command, "endless.txt", *COMMANDS[command], "--out", "out"]
    done = subprocess.run([sys.executable, "-c", PEAK, *words], check=False, stdout=subprocess.PIPE)
    assert done.returncode == 0
    assert int(done.stdout.splitlines()[-1]) < 2_000_000
    assert any(Path("out").iterdir())
