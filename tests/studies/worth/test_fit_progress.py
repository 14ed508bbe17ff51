"""The progress bar of many fits: a fit counts by the seconds that it is expected to take."""

from contextlib import contextmanager

import pytest
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task

from wordworth.representations.rung import RunContext
from wordworth.studies.worth.fit_progress import FitBar, FitProgress
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.settings import WorthSettings


class SharesOfBar:
    """A progress receiver that notes the share of the bar that each fit has advanced it by."""

    def __init__(self):
        self.totals, self.steps = [], []

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - a Progress
        self.totals.append(total)
        yield self

    def advance(self, amount=1):
        self.steps.append(amount)

    skip = advance

    def note(self, message):
        pass


def test_the_bar_counts_a_fit_by_the_seconds_that_it_was_measured_to_take():
    rungs = (MAJORITY, FakeRung("quick", "counts", constant(0.8)), FakeRung("tuned", "finetuned", constant(0.8)))
    made, bar = task(400), SharesOfBar()
    run_context = RunContext(threads=1, progress=bar)
    entries, layout = open_rungs(rungs, made, run_context, ()), label_grid(made, WorthSettings(seeds=2))
    seconds = {"majority": 0.0, "quick": 30.0, "tuned": 60.0}
    pairs = {rung.name: [(layout.top, 0)] for rung in rungs}
    fit_all(entries, pairs, made, layout, run_context, FitBar(fit_seconds=lambda rung, _: seconds[rung.name]))
    shares = [amount / bar.totals[-1] for amount in bar.steps if amount]
    assert shares == pytest.approx([0.0, 1 / 3, 2 / 3], abs=0.01)


def test_a_fit_that_starts_again_counts_once():
    bar = SharesOfBar()
    progress = FitProgress(100, bar)
    for _ in range(2):
        progress.fit(lambda report: report(0.75))
    progress.finish()
    assert sum(bar.steps) == 100


def test_a_slow_rung_that_was_not_measured_still_counts_for_more_than_a_quick_one():
    bar = FitBar(fit_seconds=lambda *_: 0.0)
    quick, slow = FakeRung("quick", "counts", constant(0.8)), FakeRung("slow", "finetuned", constant(0.8))
    assert bar.weight(slow, 100, "single") > 100 * bar.weight(quick, 100, "single")
