"""Plans: shares rise from 0 to 1, revisions keep the past to the bit, and a budget is met."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wordworth.training.lr_schedules import linear_curve, stable_then_decay
from wordworth.training.pretraining import time_budget
from wordworth.training.pretraining.step_plan import Plan, steps_within
from wordworth.training.pretraining.time_budget import Clock
from wordworth.training.process_groups import ALONE

REVISIONS = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 400)), max_size=4)


def revised(steps, revisions):
    plan = Plan.of(steps)
    for share, left in revisions:
        step = plan.first_step(share)
        if plan.segments[-1].first < step < plan.steps:
            plan.revise(step, left)
    return plan


@given(steps=st.integers(1, 500), revisions=REVISIONS)
def test_the_share_rises_from_nothing_to_everything_at_the_last_step(steps, revisions):
    plan = revised(steps, revisions)
    shares = [plan.fraction(step) for step in range(plan.steps + 1)]
    assert shares[0] == 0
    assert shares[-1] == 1  # to the bit: the last look at held-out text is due there
    assert all(low < high for low, high in pairwise(shares))


@given(steps=st.integers(2, 500), revisions=REVISIONS, share=st.floats(0, 1), left=st.integers(1, 900))
def test_a_revision_leaves_every_share_before_it_as_it_was_to_the_bit(steps, revisions, share, left):
    plan = revised(steps, revisions)
    step = max(plan.segments[-1].first, min(plan.first_step(share), plan.steps - 1))
    before = [plan.fraction(place) for place in range(step + 1)]
    plan.revise(step, left)
    assert [plan.fraction(place) for place in range(step + 1)] == before
    assert plan.steps == step + left


@given(steps=st.integers(1, 500), revisions=REVISIONS, share=st.floats(0, 1))
@example(steps=17, revisions=[(0.25, 3)], share=1.0)
def test_the_first_step_of_a_share_is_the_first_whose_share_has_passed(steps, revisions, share):
    plan = revised(steps, revisions)
    step = plan.first_step(share)
    assert plan.fraction(step) >= share - 1e-12
    assert step == 0 or plan.fraction(step - 1) < share


def test_a_plan_is_read_back_as_it_was_written(tmp_path):
    plan = revised(300, [(0.1, 70), (0.5, 333)])
    plan.write(tmp_path / "plan.json")
    assert Plan.read(tmp_path / "plan.json") == plan
    assert Plan.read(tmp_path / "none.json") is None


def test_steps_are_planned_by_the_tokens_of_the_phases_that_are_left():
    phases = [(0.0, 1000), (0.9, 4000)]
    assert steps_within(1300, 0.001, 0.0, phases) == 1000
    assert steps_within(400, 0.001, 0.9, phases) == 100
    assert steps_within(-5, 0.001, 0.5, phases) == 1


class FakeRun:
    """A run of so many seconds a step, in place of a `Parts`."""

    def __init__(self, monkeypatch, seconds):
        self.plan, self.loop, self.step, self.now = Plan.of(100), self, 0, 0.0
        self.processes = ALONE
        self.tokens_a_step = [(0.0, 1000)]
        self.seconds = seconds
        monkeypatch.setattr(time_budget.time, "monotonic", lambda: self.now)

    def go(self, clock):
        while self.step < self.plan.steps:
            self.now += self.seconds(self.step)
            self.step += 1
            clock.replan(1000)
        return self.now


@pytest.mark.parametrize("slow", [0.4, 1.0, 3.0])
def test_a_machine_that_is_slower_or_faster_than_it_seemed_still_ends_with_the_budget(monkeypatch, tmp_path, slow):
    run = FakeRun(monkeypatch, lambda step: slow if step < 40 else 2 * slow)
    clock = Clock(run, 100.0, tmp_path / "plan.json", 0.0, began=0.0)
    clock.begin()
    assert run.go(clock) == pytest.approx(100, rel=0.1)
    assert run.plan.fraction(run.plan.steps) == pytest.approx(1)
    assert Plan.read(tmp_path / "plan.json") == run.plan


SLOWDOWNS = {
    "twice as slow from the middle": lambda step: 2.0 if step >= 50 else 1.0,
    "thirty times as slow from the middle": lambda step: 30.0 if step >= 50 else 1.0,
    "slower and slower": lambda step: 1.0 + step / 20,
    "one step that takes all that is left": lambda step: 60.0 if step == 50 else 1.0,
    "stuck close to the end": lambda step: 5.0 if step >= 90 else 1.0,
}


@pytest.mark.parametrize("slowdown", SLOWDOWNS)
@pytest.mark.parametrize("curve", [linear_curve(0.06), stable_then_decay(0.06)])
def test_a_run_that_slows_down_ends_with_its_rate_low(monkeypatch, tmp_path, slowdown, curve):
    """The clock is made up; the rate of each step is what the loop would learn with."""
    run = FakeRun(monkeypatch, SLOWDOWNS[slowdown])
    clock, rates = Clock(run, 100.0, tmp_path / "plan.json", 0.0, began=0.0), []
    clock.begin()
    while run.step < run.plan.steps:
        rates.append(curve(run.plan.fraction(run.step + 0.5)))
        run.now += run.seconds(run.step)
        run.step += 1
        clock.replan(1000)
    assert run.plan.fraction(run.step) == 1
    assert run.step < 100  # it was cut short: without a plan that is moved, the rate would still be high here
    assert max(rates) > 0.5
    assert rates[-1] < 0.15 * max(rates)
    assert rates[-8:] == sorted(rates[-8:], reverse=True)


def test_what_came_before_the_first_step_has_used_time_and_is_not_taken_for_slowness(monkeypatch, tmp_path):
    run = FakeRun(monkeypatch, lambda _: 1.0)
    clock = Clock(run, 100.0, tmp_path / "plan.json", 0.0, began=0.0)
    run.now = 40.0
    clock.begin()
    assert run.go(clock) == pytest.approx(100, rel=0.1)
    first, *later = [line.end for line in run.plan.segments]
    assert (first, later) == (100, pytest.approx([60] * len(later), abs=3))


def test_without_a_budget_the_plan_stays(monkeypatch, tmp_path):
    run = FakeRun(monkeypatch, lambda _: 7.0)
    run.go(Clock(run, None, tmp_path / "plan.json", 0.0, began=0.0))
    assert run.step == 100
