"""Pretraining killed at any moment, not asked to stop: what goes on is the run that was never killed."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from tests.training.pretraining.conftest import store

from wordworth.training.pretraining.metrics_log import read

SCRIPT = """
import sys
from pathlib import Path
import torch
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.config import PretrainingConfig

torch.set_num_threads(1)
changes = ["batch_size=8", "lengths=16,32", "sequences=pairs", "first_phase_fraction=0.7", "dropout=0.1"]
pretrain(PretrainingConfig(
    stores=(Path(sys.argv[1]),), out=Path(sys.argv[2]), model_size="1x32", steps=int(sys.argv[3]), checkpoint_steps=3,
    recipe=recipe("modern", changes), dtype="bfloat16", held_out=Path(sys.argv[1]), evals=4, device=sys.argv[4],
    compiled=False,
))
"""


def start(folder: Path, corpus: Path, out: Path, steps: int, device: str = "cpu") -> subprocess.Popen:
    script = folder / "run.py"
    script.write_text(textwrap.dedent(SCRIPT))
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(script), str(corpus), str(out), str(steps), device]
    return subprocess.Popen(command, env=environment)


def curve(out: Path) -> list[dict]:
    """What the run decided, and not the clock."""
    return [{**row, "seconds": 0} for row in read(out / "training") if row["kind"] in {"step", "evaluation"}]


def kill_after(process: subprocess.Popen, out: Path, rows: int, wait: float) -> bool:
    """Kill once the log has grown by so many rows and a moment more; whether it was still running."""
    log, begun = out / "training" / "log.jsonl", len(read(out / "training"))
    while process.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < begun + rows):
        time.sleep(0.05)
    time.sleep(wait)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return alive


KILLS = 6


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_run_killed_at_random_steps_makes_the_curve_of_one_never_killed(tmp_path):
    corpus, rng, steps = store(tmp_path / "corpus", 0, 60), np.random.default_rng(0), 30 * KILLS
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert start(tmp_path, corpus, whole, steps).wait() == 0
    done = 0
    while done < KILLS:
        process = start(tmp_path, corpus, killed, steps)
        done += 1
        if not kill_after(process, killed, int(rng.integers(4, 26)), float(rng.uniform(0, 0.05))):
            break
    assert start(tmp_path, corpus, killed, steps).wait() == 0
    assert done == KILLS
    assert curve(killed) == curve(whole)
    assert (killed / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
