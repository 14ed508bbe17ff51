"""Several processes make the run of one, and a run may go on with another number of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wordworth.models.checkpoint import read_checkpoint
from wordworth.training.pretraining.metrics_log import read

SCRIPT = Path(__file__).with_name("processes.py")
NEVER = 10**6


def run(count, store, out, *, sharded=False, dtype="float32", stop=NEVER):
    how = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)] if count > 1 else []
    given = [str(store), str(out), "sharded" if sharded else "whole", dtype, str(stop)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *how, str(SCRIPT), *given], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == (stop == NEVER), done.stderr
    return [row["loss"] for row in read(out / "training") if row["kind"] == "step"]


@pytest.fixture(scope="module")
def alone(corpus, tmp_path_factory):
    return run(1, corpus, tmp_path_factory.mktemp("alone"))


@pytest.mark.slow
@pytest.mark.parametrize("sharded", [False, True])
def test_two_processes_give_the_loss_curve_of_one(corpus, alone, tmp_path, sharded):
    assert run(2, corpus, tmp_path, sharded=sharded) == pytest.approx(alone, abs=2e-5)
    assert read_checkpoint(tmp_path).names.unexpected == ()


@pytest.mark.slow
@pytest.mark.parametrize(("first", "then", "sharded"), [(2, 1, False), (2, 1, True), (1, 2, True)])
def test_a_run_goes_on_with_another_number_of_processes(corpus, alone, tmp_path, first, then, sharded):
    begun = run(first, corpus, tmp_path, sharded=sharded and first > 1, stop=5)
    assert len(begun) == 5
    assert run(then, corpus, tmp_path, sharded=sharded and then > 1) == pytest.approx(alone, abs=2e-5)


@pytest.mark.slow
def test_halves_are_added_in_float32_over_processes(corpus, tmp_path):
    one = run(1, corpus, tmp_path / "one", dtype="bfloat16")
    assert run(2, corpus, tmp_path / "two", dtype="bfloat16") == pytest.approx(one, abs=0.02)
