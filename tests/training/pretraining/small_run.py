"""A run of twelve steps, its curve, and a progress under which it is stopped."""

import signal
from contextlib import contextmanager

from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe

CHANGES = ["batch_size=8", "lengths=16,32", "sequences=pairs", "dropout=0.1", "first_phase_fraction=0.7"]


def settings(corpus, out, **changes):
    usual = {"model_size": "1x32", "steps": 12, "recipe": recipe("modern", CHANGES), "evals": 3, "dtype": "float32"}
    return PretrainingConfig(stores=(corpus,), out=out, **{**usual, **changes})


def curve(out):
    """What the run decided, and not the clock."""
    return [{**row, "seconds": 0} for row in read(out / "training") if row["kind"] in {"step", "evaluation"}]


class Killing:
    """A `Progress` under which the process is asked to stop once so many steps are done; it hears notes."""

    def __init__(self, after=None):
        self.after, self.done, self.notes = after, 0, []

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - a Progress
        yield self

    def advance(self, amount=1):
        self.done += amount > 0
        if self.done == self.after:
            signal.raise_signal(signal.SIGTERM)

    def skip(self, amount):
        pass

    def note(self, message):
        self.notes.append(message)
