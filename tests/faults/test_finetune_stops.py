"""Ctrl-C in fine-tuning, long before a state is due by the clock: what was learned is kept and gone on with."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.faults.test_finetune_kills import assert_equal
from tests.representations.tiny_encoder import write_tiny_encoder

RUN = """
import signal
import sys
from contextlib import contextmanager

from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task


class Stopping:
    def __init__(self, after):
        self.after, self.done = after, 0

    @contextmanager
    def step(self, title, total=None):
        yield self

    def advance(self, amount=1):
        self.done += amount
        if self.done == self.after:
            signal.raise_signal(signal.SIGINT)

    def skip(self, amount):
        pass

    def note(self, message):
        pass


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
    heard = Stopping(int(sys.argv[4]))
    try:
        finetune(sample_task("single", 120), model=sys.argv[1], out=sys.argv[2], restarts=2, learning_rate=2e-3,
                 epochs=12.0, dev=0.3, processes=int(sys.argv[3]), save_every=3600.0, progress=heard)
    except KeyboardInterrupt:
        print("stopped")
    else:
        print("ended")
"""


def run(encoder: Path, out: Path, processes: int, after: int) -> str:
    script = out.parent / "run.py"
    script.write_text(RUN)
    words = [sys.executable, str(script), str(encoder), str(out), str(processes), str(after)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert "Traceback" not in done.stderr
    return done.stdout.strip()


def kept(out: Path) -> int:
    """Updates of all runs that their newest states hold."""
    return sum(max(int(path.name[5:14]) for path in states.glob("step-*.pt")) for states in out.glob("runs/*/*/states"))


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_is_stopped_again_and_again_gets_on_and_ends_as_one_never_stopped(tmp_path, processes):
    encoder, out = write_tiny_encoder(tmp_path / "tiny"), tmp_path / "stopped"
    assert run(encoder, tmp_path / "whole", 1, -1) == "ended"
    for times in (1, 2):
        assert run(encoder, out, processes, 5) == "stopped"
        assert kept(out) >= 5 * times
    assert run(encoder, out, processes, -1) == "ended"
    assert_equal(out, tmp_path / "whole")


@pytest.mark.slow
def test_a_cluster_s_sigterm_to_the_parent_keeps_a_state_of_every_run(tmp_path):
    """States come by the clock once a minute: these are of the stop."""
    encoder, out, texts = write_tiny_encoder(tmp_path / "tiny"), tmp_path / "run", tmp_path / "a.csv"
    texts.write_text(
        "text,label\n" + "".join(f"film {n} was {good},{good}\n" for n in range(200) for good in ("good", "bad"))
    )
    given = f"--data {texts} --model {encoder} --out {out} --restarts 2 --processes 2 --epochs 900"
    command = [sys.executable, "-m", "wordworth", "finetune", *given.split()]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as child:
        for line in child.stderr:
            if line.startswith("fine-tuning"):
                break
        time.sleep(8)  # processes have begun
        child.terminate()
        errors = child.stderr.read()
    assert child.returncode == 130
    assert "the same command goes on from there" in errors
    assert "Traceback" not in errors
    assert len(list(out.glob("runs/*/*/states/step-*.pt"))) == 2
