"""Ctrl-C ends a command whose processes are stopped or hang: within seconds, with its states kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

PATIENCE = 3.0
RUN = """
import signal
import sys
from functools import partial

from wordworth.cli import entry_point
from wordworth.training.finetuning import worker_pool

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
    worker_pool.end = partial(worker_pool.end, patience=float(sys.argv.pop(1)))
    entry_point.run()
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")


@pytest.fixture
def running(tmp_path):
    """A fine-tuning in two processes, once each has kept a state."""
    rows = "".join(f"text {number} is {('good', 'bad')[number % 2]},{number % 2}\n" for number in range(80))
    (tmp_path / "data.csv").write_text("text,label\n" + rows)
    (tmp_path / "run.py").write_text(RUN)
    model = write_tiny_encoder(tmp_path / "tiny")
    words = f"{PATIENCE} finetune --data data.csv --model {model} --out out --processes 2 --restarts 2 --epochs 5000"
    command = [
        sys.executable,
        "run.py",
        *words.split(),
        "--learning-rate",
        "1e-5",
        "--save-every",
        "0.02",
        "--kind",
        "single",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: len({state.parent for state in tmp_path.glob("out/runs/*/*/states/step-*.pt")}) == 2)
        yield process
        process.kill()


def until(there, seconds=120.0):
    latest = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < latest
        time.sleep(0.05)


def workers(parent):
    """The processes that compute for a parent."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def stop(pids):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True], ids=["stopped once", "stopped whenever it is woken"])
def test_ctrl_c_ends_a_command_whose_children_are_stopped(running, again):
    pids = workers(running.pid)
    assert len(pids) == 2
    stop(pids)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    while running.poll() is None and time.monotonic() - began < 60:
        time.sleep(0.002)
        if again:
            stop(pids)
    assert running.poll() == 130
    assert time.monotonic() - began < PATIENCE + 10
    assert "stopped; nothing half-written is left, and the same command goes on from there" in running.stderr.read()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
