"""One process of a run for `test_processes.py`: store, out, whether sharded, dtype, and the step to be stopped at."""

import signal
import sys
from contextlib import contextmanager
from pathlib import Path

import torch

from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain


class Stopping:
    def __init__(self, after: int) -> None:
        self.left = after

    @contextmanager
    def step(self, title: str, total: float | None = None):  # noqa: ARG002 - a Progress
        yield self

    def advance(self, amount: float = 1) -> None:
        self.left -= amount > 0
        if self.left == 0:
            signal.raise_signal(signal.SIGTERM)

    def skip(self, amount: float) -> None:
        pass

    def note(self, message: str) -> None:
        pass


if __name__ == "__main__":
    store, out, sharded, dtype, stop = sys.argv[1:]
    torch.set_num_threads(1)
    changes = ["batch_size=8", "lengths=16,32", "sequences=pairs", "first_phase_fraction=0.7"]
    settings = PretrainingConfig(
        stores=(Path(store),),
        out=Path(out),
        model_size="2x32",
        steps=10,
        recipe=recipe("modern", changes),
        dtype=dtype,
        sharded=sharded == "sharded",
    )
    pretrain(settings, Stopping(int(stop)))
    if not settings.sharded:  # a thread of the group that outlives it can abort the process at its end
        assert "gloo_tcp_loop" not in {name.read_text().strip() for name in Path("/proc/self/task").glob("*/comm")}
