"""The paper's grid, raced for real: killed in its race, made with two processes or asked again, it says the same."""

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
from wordworth.training.finetuning import grid_search
grid_search._RATES = (1e-2, 3e-3, 3e-4)  # what so small an encoder learns by, to more and to less
if __name__ == "__main__":
    finetune(sample_task("single", 240), model=sys.argv[1], out=sys.argv[2], grid="paper", restarts=2, dev=0.3,
             processes=int(sys.argv[3]), save_every=0.02)
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


class Study:
    """Starts the study in a process, into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.encoder = folder, write_tiny_encoder(folder / "tiny")
        (folder / "run.py").write_text(RUN)

    def start(self, out: Path, processes: int = 1) -> subprocess.Popen[bytes]:
        given = [self.folder / "run.py", self.encoder, out, str(processes)]
        return subprocess.Popen([sys.executable, *given])


def told(out: Path) -> str:
    """The record but for the clock."""
    return replace(records.read(out), timings={}, environment={}).to_json()


@pytest.fixture
def study(tmp_path) -> Study:
    return Study(tmp_path)


def race_began(out: Path) -> bool:
    return any(out.glob("runs/*/*"))


def race_ended(out: Path) -> bool:
    """Whether the best point's second restart has begun."""
    return any(out.glob("runs/*/*-seed-1"))


def until(said, process: subprocess.Popen[bytes], out: Path) -> float:
    while process.poll() is None and not said(out):
        time.sleep(0.005)
    return time.monotonic()


def killed_in_the_race(study: Study, out: Path, seconds: float) -> bool:
    """Kill it so many seconds into the race; whether the race was still on."""
    process = study.start(out)
    until(race_began, process, out)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL and not race_ended(out)


def test_a_grid_gives_one_record_killed_in_its_race_asked_again_or_with_two_processes(study, tmp_path):
    process, whole = study.start(tmp_path / "whole"), tmp_path / "whole"
    seconds = -until(race_began, process, whole) + until(race_ended, process, whole)
    assert process.wait() == 0
    record, draw, out, kills = told(whole), random.Random(0), tmp_path / "stopped", 0
    while kills < 2:
        if killed_in_the_race(study, out, draw.uniform(0, seconds)):
            kills += 1
        else:
            shutil.rmtree(out)
    for folder, processes in ((out, 1), (whole, 1), (tmp_path / "two", 2)):
        assert study.start(folder, processes).wait() == 0
        assert told(folder) == record
    states = records.read(out).table("runs").groupby("stage")["state"].value_counts()
    assert states["grid", "pruned"] == 16
    assert not list(out.rglob("*.part"))
