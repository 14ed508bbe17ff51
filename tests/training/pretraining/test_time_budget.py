"""Runs whose length is a time: they end with it, their rate falls to nothing, and what was used before counts."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.training.pretraining import run_logger
from wordworth.training.pretraining.batches import Steps
from wordworth.training.pretraining.build_components import open_stores
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.evaluation import HeldOut
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.model_card import learning_rate_note
from wordworth.training.pretraining.pretrain_and_adapt import leaves_batch_size_open
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.setup import assemble
from wordworth.training.pretraining.step_plan import Plan
from wordworth.training.pretraining.time_budget import LEAST_BATCH, REVISED_AT, batch_within, measure_speed

LOOKS = 5
SCRIPT = """
import sys
from pathlib import Path
import torch
from tests.training.pretraining.test_time_budget import planned
from wordworth.training.pretraining import run_logger
from wordworth.training.pretraining.run import pretrain

run_logger.matmul_peak = lambda *_: 1e12
torch.set_num_threads(1)
corpus, out, budget = sys.argv[1:]
pretrain(planned(Path(corpus), Path(out), float(budget)))
"""


def planned(corpus: Path, out: Path, budget: float) -> PretrainingConfig:
    changes = ["batch_size=8", "lengths=16,32", "first_phase_fraction=0.7"]
    usual = {"model_size": "1x32", "recipe": recipe("modern", changes), "dtype": "float32", "checkpoint_steps": 20}
    return PretrainingConfig(stores=(corpus,), out=out, budget=budget, held_out=corpus, evals=LOOKS, **usual)


def rows(out: Path, kind: str) -> list[dict]:
    """The rows of one kind in the log, with their seconds set to 0, since two runs differ in them."""
    return [{**row, "seconds": 0} for row in read(out / "training") if row["kind"] == kind]


def used(out: Path) -> float:
    """Seconds that the run says it took, in all sittings."""
    return [row["seconds"] for row in read(out / "training") if row["kind"] == "step"][-1]


def nearly_nothing(steps: int) -> float:
    """The share of its largest rate that a run of so many steps may end with.

    A busy machine makes few steps of the time. The rate rises over a hundred, and the last has a share of one in all
    steps of its peak, so that in a run of twenty steps it is not far below the largest.
    """
    return max(0.2, min(0.95, 200 / steps**2))


def decided(out: Path) -> list[list]:
    """Steps, looks and the plan's lines: all that a kill must leave as it was."""
    return [rows(out, "step"), rows(out, "evaluation"), Plan.read(out / "training" / "plan.json").segments]


def assert_carried_out(out: Path) -> None:
    """The plan was followed to its end: rates fell to nearly nothing, looks were made once where they were due."""
    steps, looks, lines = decided(out)
    plan = Plan(lines)
    assert [row["step"] for row in steps] == list(range(1, plan.steps + 1))
    assert plan.fraction(plan.steps) == 1
    assert steps[-1]["learning_rate"] < nearly_nothing(len(steps)) * max(row["learning_rate"] for row in steps)
    due, made = [plan.first_step(number / LOOKS) for number in range(1, LOOKS + 1)], [row["step"] for row in looks]
    assert made == [step for step in due if step in made]  # on a slow machine some are left out, but never the last
    assert made[-1] == due[-1]


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
    monkeypatch.setattr(run_logger, "matmul_peak", lambda *_: 1e12)


def test_speed_is_measured_on_the_steps_that_a_run_begins_with(corpus, tmp_path, monkeypatch):
    parts, longest, made = assemble(planned(corpus, tmp_path, 2.0), open_stores([corpus]), None), [], Steps.step

    def measured(steps, number):
        step = made(steps, number)
        longest.append(int(step.instances.lengths.max()))
        return step

    monkeypatch.setattr(Steps, "step", measured)
    assert measure_speed(parts) > 0
    assert max(longest) <= 16  # and not 32, of the second phase


def test_looks_take_a_fifth_of_the_time_at_most_and_the_last_is_made(corpus, tmp_path, monkeypatch):
    def look(*_):
        time.sleep(0.12)
        return {"mlm": 1.0}

    monkeypatch.setattr(HeldOut, "evaluate", look)
    heard = Notes()
    pretrain(planned(corpus, tmp_path, 3.0), heard)
    looks, steps = rows(tmp_path, "evaluation"), rows(tmp_path, "step")
    assert 1 < len(looks) < LOOKS
    assert looks[-1]["step"] == len(steps)
    assert sum("some are left out" in note for note in heard.notes) == 1


def looks_taken(monkeypatch, seconds_a_text):
    """Texts of every look, which takes so long a text."""
    taken = []

    def look(held_out, _):
        taken.append(held_out.texts)
        time.sleep(seconds_a_text * held_out.texts)
        return {"mlm": 1.0}

    monkeypatch.setattr(HeldOut, "evaluate", look)
    return taken


def test_where_the_first_look_would_eat_the_budget_looks_read_fewer_texts(corpus, tmp_path, monkeypatch):
    taken, heard = looks_taken(monkeypatch, 0.02), Notes()
    pretrain(planned(corpus, tmp_path, 3.0), heard)
    made = taken[2:]  # two measure how long one takes
    assert len(set(made)) == 1
    assert 0.02 * sum(made) <= 0.2 * 3.0
    assert len(made) >= 2
    assert any(f"evaluations read {made[0]:,} of " in note for note in heard.notes)
    assert f"Evaluations read {made[0]:,} of " in (tmp_path / "README.md").read_text()
    start = next(row for row in read(tmp_path / "training") if row["kind"] == "start")
    assert start["evaluation_texts"] == made[0] < start["evaluation_texts_of"]


@pytest.mark.parametrize("slow_from", [50, 90])
def test_the_rate_of_a_run_that_slows_down_still_falls_and_the_card_says_so(corpus, tmp_path, monkeypatch, slow_from):
    made = Steps.step

    def slower(steps, number):
        time.sleep(0.25 * (number >= slow_from))
        return made(steps, number)

    monkeypatch.setattr(Steps, "step", slower)
    pretrain(planned(corpus, tmp_path, 2.0))
    steps = rows(tmp_path, "step")
    assert steps[-1]["learning_rate"] < nearly_nothing(len(steps)) * max(row["learning_rate"] for row in steps)
    assert " of that at the last." in (tmp_path / "README.md").read_text()


def test_a_card_warns_where_the_rate_had_not_come_down():
    steps = [{"step": at + 1, "learning_rate": rate} for at, rate in enumerate([0.1, 0.2, 0.2])]
    assert "It had not come down" in learning_rate_note(steps, 0.4)
    fallen = learning_rate_note([*steps, {"step": 4, "learning_rate": 0.002}], 0.4)
    assert fallen == "The learning rate was highest (0.2, 50 % of its peak) at update 2 and 1 % of that at the last.\n"


def test_a_batch_that_nobody_named_leaves_a_budget_time_for_updates(corpus, tmp_path):
    heard, usual = Notes(), planned(corpus, tmp_path, 2.0)
    free = replace(usual, recipe=replace(usual.recipe, batch_size=4096), fit_batch=True)
    pretrain(free, heard)
    note = next(note for note in heard.notes if note.startswith("batch size "))
    batch = int(note.split()[2].rstrip(":"))
    assert LEAST_BATCH <= batch < 4096
    assert f"batch_size {batch}," in (tmp_path / "README.md").read_text()
    made = decided(tmp_path)
    pretrain(free)  # the same command goes on with the batch that it began with
    assert decided(tmp_path) == made
    with pytest.raises(BadInput, match=f"this run uses batch size {batch}, chosen for its budget, not 4096"):
        pretrain(replace(free, fit_batch=False))


@pytest.mark.parametrize(("pace", "batch"), [(1e-6, 128), (1e-3, 8), (2.4e-5, 32)])
def test_the_batch_is_halved_until_there_are_five_hundred_updates_or_it_is_eight(corpus, tmp_path, pace, batch):
    settings = replace(planned(corpus, tmp_path, 60.0), recipe=recipe("modern"))
    assert batch_within(settings, pace, [(0.0, 128 * 128)])[0] == batch


@pytest.mark.parametrize(("changes", "free"), [((), True), (("dropout=0.1",), True), (("batch_size=16",), False)])
def test_a_batch_that_a_person_names_is_taken(changes, free):
    assert leaves_batch_size_open(changes) == free


def test_a_run_of_so_much_time_follows_its_plan_and_moves_its_end_at_most_so_often(corpus, tmp_path):
    given = planned(corpus, tmp_path, 2.0)
    pretrain(given)
    assert_carried_out(tmp_path)
    made = decided(tmp_path)
    assert 1 < len(made[2]) <= 1 + len(REVISED_AT) + 20  # and after each twentieth of the time
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
        steps, evaluations, segments = decided(tmp_path)
    pretrain(planned(corpus, tmp_path, budget))
    all_steps, all_evaluations, all_segments = decided(tmp_path)
    assert all_steps[: len(steps)] == steps
    assert all_segments[: len(segments)] == segments
    # The last evaluation may be newer than the last checkpoint; a machine that has become slow does not repeat it.
    assert [row for row in evaluations if row not in all_evaluations] in ([], evaluations[-1:])
    assert_carried_out(tmp_path)
    assert used(tmp_path) == pytest.approx(budget, rel=0.4)
