"""Fine-tuning killed at any moment goes on where it was, and ends with the same record and the same model."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth import records

RUN = """
import sys
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task
if __name__ == "__main__":
    finetune(sample_task(sys.argv[4], 120), model=sys.argv[1], out=sys.argv[2], restarts=2, learning_rate=2e-3,
             epochs=12.0, dev=0.3, processes=int(sys.argv[3]), save_every=0.02)
"""


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("kills") / "tiny")


def start(encoder: Path, out: Path, script: Path, processes: int, kind: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(script), str(encoder), str(out), str(processes), kind])


def newest(out: Path) -> int:
    """How far runs are: the steps of their newest states, and ended ones."""
    try:
        states = [int(path.name[5:14]) for path in out.glob("runs/*/*/states/step-*.pt")]
    except FileNotFoundError:  # the run ended, and removed its states, while they were listed
        return newest(out)
    return max(states, default=0) + 1000 * len(list(out.glob("runs/*/*/weights.pt")))


def killed_on_the_way(process: subprocess.Popen[bytes], out: Path, draw: random.Random) -> bool:
    """Kill it some states on; whether it had not ended by itself."""
    seen, left = newest(out), draw.randint(1, 12)
    while process.poll() is None and left:
        time.sleep(0.002)
        if newest(out) != seen:
            seen, left = newest(out), left - 1
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def run_with_kills(encoder: Path, folder: Path, kills: int, processes: int, kind: str = "single") -> None:
    draw, script = random.Random(kills), folder / "run.py"
    script.write_text(RUN)
    whole, stopped, done = folder / "whole", folder / "stopped", 0
    assert start(encoder, whole, script, 1, kind).wait() == 0
    while done < kills:
        if killed_on_the_way(start(encoder, stopped, script, processes, kind), stopped, draw):
            done += 1
        else:  # it ended before its time: all must be right already, and the next kill meets a new study
            assert_equal(stopped, whole)
            shutil.rmtree(stopped)
    assert start(encoder, stopped, script, processes, kind).wait() == 0
    assert_equal(stopped, whole)


def assert_equal(stopped: Path, whole: Path) -> None:
    """The same record but for what the clock says, the same model, and nothing left half-made."""
    told = [
        replace(records.read(one / "record.json"), timings={}, environment={}).to_json() for one in (whole, stopped)
    ]
    assert told[0] == told[1]
    for name in ("model.safetensors", "head.safetensors"):
        assert (whole / "model" / name).read_bytes() == (stopped / "model" / name).read_bytes()
    assert not list(stopped.rglob("*.part"))
    assert not list(stopped.rglob("states"))


@pytest.mark.slow
def test_a_killed_tagger_loses_and_changes_nothing(encoder, tmp_path):
    run_with_kills(encoder, tmp_path, kills=1, processes=1, kind="tags")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_kills_lose_and_change_nothing(encoder, tmp_path):
    run_with_kills(encoder, tmp_path, kills=6, processes=1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_several_processes_killed_with_their_parent_lose_and_change_nothing(encoder, tmp_path):
    run_with_kills(encoder, tmp_path, kills=2, processes=2)
