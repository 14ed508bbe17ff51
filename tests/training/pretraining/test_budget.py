"""Runs whose length is a time: they end with it, their rate falls to nothing, and what was used before counts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.training.pretraining import telling
from wordworth.training.pretraining.budget import REVISED_AT, rehearsed
from wordworth.training.pretraining.build import open_stores
from wordworth.training.pretraining.log import read
from wordworth.training.pretraining.looks import HeldOut
from wordworth.training.pretraining.parts import assemble
from wordworth.training.pretraining.plan import Plan
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.settings import Pretraining
from wordworth.training.pretraining.steps import Steps

LOOKS = 5
SCRIPT = """
import sys
from pathlib import Path
import torch
from tests.training.pretraining.test_budget import planned
from wordworth.training.pretraining import telling
from wordworth.training.pretraining.run import pretrain

telling.matmul_peak = lambda *_: 1e12
torch.set_num_threads(1)
corpus, out, budget = sys.argv[1:]
pretrain(planned(Path(corpus), Path(out), float(budget)))
"""


def planned(corpus: Path, out: Path, budget: float) -> Pretraining:
    changes = ["batch=8", "lengths=16,32", "phases=0.7"]
    usual = {"shape": "1x32", "recipe": recipe("modern", changes), "dtype": "float32", "checkpoint_steps": 20}
    return Pretraining(stores=(corpus,), out=out, budget=budget, held_out=corpus, looks=LOOKS, **usual)


def rows(out: Path, kind: str) -> list[dict]:
    """Of the log, but for the clock."""
    return [{**row, "seconds": 0} for row in read(out / "training") if row["kind"] == kind]


def used(out: Path) -> float:
    """Seconds that the run says it took, in all sittings."""
    return [row["seconds"] for row in read(out / "training") if row["kind"] == "step"][-1]


def decided(out: Path) -> list[list]:
    """Steps, looks and the plan's lines: all that a kill must leave as it was."""
    return [rows(out, "step"), rows(out, "look"), Plan.read(out / "training" / "plan.json").lines]


def assert_carried_out(out: Path) -> None:
    """The plan was followed to its end: rates fell to nearly nothing, and each look was made once where it was due."""
    steps, looks, lines = decided(out)
    plan = Plan(lines)
    assert [row["step"] for row in steps] == list(range(1, plan.steps + 1))
    assert plan.share(plan.steps) == 1
    assert steps[-1]["rate"] < 0.2 * max(row["rate"] for row in steps)
    assert [row["step"] for row in looks] == [plan.first_step(number / LOOKS) for number in range(1, LOOKS + 1)]


class Notes:
    """A `Progress` that hears notes."""

    def __init__(self):
        self.notes = []

    step = SILENT.step

    def note(self, message):
        self.notes.append(message)


@pytest.fixture(autouse=True)
def known_peak(monkeypatch):
    """Measuring a machine takes seconds that so short a run has not."""
    monkeypatch.setattr(telling, "matmul_peak", lambda *_: 1e12)


def test_speed_is_measured_on_the_steps_that_a_run_begins_with(corpus, tmp_path, monkeypatch):
    parts, longest, made = assemble(planned(corpus, tmp_path, 2.0), open_stores([corpus]), None), [], Steps.made

    def measured(steps, number):
        step = made(steps, number)
        longest.append(int(step.instances.lengths.max()))
        return step

    monkeypatch.setattr(Steps, "made", measured)
    assert rehearsed(parts) > 0
    assert max(longest) <= 16  # and not 32, of the second phase


def test_looks_take_a_fifth_of_the_time_at_most_and_the_last_is_made(corpus, tmp_path, monkeypatch):
    def look(*_):
        time.sleep(0.4)
        return {"mlm": 1.0}

    monkeypatch.setattr(HeldOut, "look", look)
    heard = Notes()
    pretrain(planned(corpus, tmp_path, 3.0), heard)
    looks, steps = rows(tmp_path, "look"), rows(tmp_path, "step")
    assert 1 < len(looks) < LOOKS
    assert looks[-1]["step"] == len(steps)
    assert sum("some are left out" in note for note in heard.notes) == 1


def test_a_run_of_so_much_time_follows_its_plan_and_moves_its_end_at_most_so_often(corpus, tmp_path):
    given = planned(corpus, tmp_path, 2.0)
    pretrain(given)
    assert_carried_out(tmp_path)
    made = decided(tmp_path)
    assert 1 < len(made[2]) <= 1 + len(REVISED_AT)
    assert (tmp_path / "model.safetensors").exists()
    pretrain(given)
    assert decided(tmp_path) == made


@pytest.mark.slow
def test_a_run_of_so_much_time_ends_with_it(corpus, tmp_path):
    pretrain(planned(corpus, tmp_path, 8.0))
    assert_carried_out(tmp_path)
    assert used(tmp_path) == pytest.approx(8.0, rel=0.4)


def test_another_budget_is_another_run(corpus, tmp_path):
    pretrain(planned(corpus, tmp_path, 0.5))
    with pytest.raises(BadInput, match="another budget"):
        pretrain(planned(corpus, tmp_path, 9.0))


def killed(corpus: Path, out: Path, budget: float, share: float) -> None:
    """Begin or go on, and be killed once so much of the budget has been used."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join([*sys.path, "."])}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(corpus), str(out), str(budget)], env=environment)
    while process.poll() is None and not (rows(out, "step") and used(out) > share * budget):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


@pytest.mark.slow
def test_a_run_killed_twice_keeps_what_it_made_and_what_it_used_counts(corpus, tmp_path):
    budget = 8.0
    for share in (0.3, 0.7):
        killed(corpus, tmp_path, budget, share)
        made = decided(tmp_path)
    pretrain(planned(corpus, tmp_path, budget))
    for now, before in zip(decided(tmp_path), made, strict=True):
        assert now[: len(before)] == before
    assert_carried_out(tmp_path)
    assert used(tmp_path) == pytest.approx(budget, rel=0.4)
