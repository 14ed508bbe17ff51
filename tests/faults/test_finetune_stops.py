"""Ctrl-C in fine-tuning, long before a state is due by the clock: what was learned is kept and gone on with."""

import os
import subprocess
import sys
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

    def resumed(self, amount):
        pass

    def note(self, message):
        pass


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
    heard = Stopping(int(sys.argv[4]))
    try:
        finetune(sample_task("single", 120), model=sys.argv[1], out=sys.argv[2], restarts=2, rate=2e-3, epochs=12.0,
                 dev=0.3, processes=int(sys.argv[3]), save_every=3600.0, progress=heard)
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
    for times in (1, 2, 3):
        assert run(encoder, out, processes, 5) == "stopped"
        assert kept(out) >= 5 * times
    assert run(encoder, out, processes, -1) == "ended"
    assert_equal(out, tmp_path / "whole")
