"""`embed` on a Ray cluster of two processes: the bytes of one process, also where a worker or the driver is killed."""

import signal
import subprocess
import sys

import pytest
from tests.serving.served import tiny_encoder

import wordworth as ww

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.peers, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
TEXTS = ["a bad cab the zebra " * (row % 7) for row in range(400)]
RUN = """
import os, signal, sys
from pathlib import Path
import ray
import wordworth as ww
from wordworth.inference import embed_with_ray

folder, killed = Path(sys.argv[1]), sys.argv[2]
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
whole = embed_with_ray._encode

def encode(part, settings, kernel, prompt):
    flag = folder / "killed"
    if killed == "worker" and part.number == 3 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(part, settings, kernel, prompt)

class Killing:
    parts = 0
    def note(self, message): pass
    def skip(self, amount): pass
    def advance(self, amount):
        Killing.parts += 1
        if killed == "driver" and Killing.parts == 4:
            os.kill(os.getpid(), signal.SIGKILL)
    def step(self, title, total=None):
        from contextlib import nullcontext
        return nullcontext(self)

embed_with_ray._encode = encode
texts = (folder / "texts.txt").read_text().splitlines()
settings = {"model": str(folder / "tiny"), "rows": 25, "dtype": "float32", "engine": "ray"}
report = ww.embed(texts, folder / "v.npy", progress=Killing(), **settings)
print(report.resumed)
"""


def embed(folder, killed):
    """Embed on a cluster in a process of its own; its exit code, and the rows that an earlier run had computed."""
    done = subprocess.run([sys.executable, "-c", RUN, str(folder), killed], capture_output=True, text=True, check=False)
    return done.returncode, int(done.stdout.split()[-1]) if done.returncode == 0 else done.stderr


@pytest.mark.parametrize("killed", ["nobody", "worker", "driver"])
def test_the_bytes_are_those_of_one_process(tmp_path, killed):
    tiny_encoder(tmp_path / "tiny")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    texts = (tmp_path / "texts.txt").read_text().splitlines()
    ww.embed(texts, tmp_path / "one.npy", model=str(tmp_path / "tiny"), rows=25, dtype="float32", threads=1)
    code, resumed = embed(tmp_path, killed)
    if killed == "driver":
        assert code == -signal.SIGKILL
        code, resumed = embed(tmp_path, "nobody")
        assert resumed >= 75
    assert code == 0, resumed
    assert (tmp_path / "killed").exists() == (killed == "worker")
    assert (tmp_path / "v.npy").read_bytes() == (tmp_path / "one.npy").read_bytes()
    assert not (tmp_path / "v.npy.parts").exists()
