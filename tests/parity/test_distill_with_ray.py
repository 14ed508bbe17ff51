"""`distill` with its teacher on a Ray cluster of two processes: the bytes of one process, also where one is killed."""

import os
import signal
import subprocess
import sys

import pytest
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.testing.sample_tasks import sample_task

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.peers, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
RUN = """
import os, signal, sys
from contextlib import nullcontext
from pathlib import Path
import wordworth as ww
from wordworth.studies.distill import teacher_on_ray
from wordworth.training.distillation import teacher_outputs

folder, out, engine, killed = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
teacher_outputs._BLOCK = 10
if engine == "ray":
    import ray
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
whole = teacher_on_ray._outputs

def outputs(block, *shared):
    flag = folder / "killed"
    if killed == "worker" and block.first == 20 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(block, *shared)

class Killing:
    blocks = skipped = 0
    def note(self, message): pass
    def skip(self, amount): Killing.skipped += amount
    def advance(self, amount=1):
        Killing.blocks += self.counts
        if killed == "driver" and Killing.blocks == 3:
            os.kill(os.getpid(), signal.SIGKILL)
    def step(self, title, total=None):
        self.counts = title.startswith("the teacher's answers")
        return nullcontext(self)

teacher_on_ray._outputs = outputs
choices = {"layers": 1, "method": "distilbert", "compare": "", "seeds": 1, "epochs": 1, "processes": 1}
choices |= {"data": folder / "rows.csv", "engine": engine, "progress": Killing()}
ww.distill(folder / "run/model", folder / out, **choices)
print(Killing.skipped)
"""


def distill(folder, out, engine, killed):
    """Distill in a process of its own; its exit code, and the texts answered before or what it said."""
    environment = {**os.environ, "WORDWORTH_CACHE": str(folder / f"cache-{engine}")}
    command = [sys.executable, "-c", RUN, str(folder), out, engine, killed]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, int(done.stdout.split()[-1]) if done.returncode == 0 else done.stderr


@pytest.mark.parametrize("killed", ["nobody", "worker", "driver"])
def test_the_bytes_are_those_of_one_process(tmp_path, killed):
    write_tuned(tmp_path / "run")
    write_rows(tmp_path / "rows.csv", sample_task("single"))
    code, said = distill(tmp_path, "one", "local", "nobody")
    assert code == 0, said
    code, skipped = distill(tmp_path, "ray", "ray", killed)
    if killed == "driver":
        assert code == -signal.SIGKILL
        code, skipped = distill(tmp_path, "ray", "ray", "nobody")
        assert skipped >= 30
    assert code == 0, skipped
    assert (tmp_path / "killed").exists() == (killed == "worker")
    for name in ("model.safetensors", "head.safetensors", "wordworth.json"):
        assert (tmp_path / "ray/model" / name).read_bytes() == (tmp_path / "one/model" / name).read_bytes()
