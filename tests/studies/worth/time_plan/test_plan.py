"""The plan of a study's time: a scope within the budget, and its forecast for the record."""

from dataclasses import replace

import pytest
from tests.studies.worth.made_up import task

from wordworth.representations.rung import RunContext
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.time_plan import plan as planning
from wordworth.studies.worth.time_plan.plan import time_plan
from wordworth.studies.worth.time_plan.speeds import FitSpeed, Speeds, TrainingSpeed
from wordworth.tasks.examples import Origin


def test_the_parts_of_a_forecast_add_up_and_the_scope_of_a_small_study_is_whole():
    made, settings = task(120), WorthSettings(models=())
    plan = time_plan(made, settings, RunContext(), limited=False)
    assert plan.scope == plan.whole
    assert plan.scope.rows == len(made.used)
    parts = dict(plan.seconds)
    assert abs(parts.pop("in all") - sum(parts.values())) < 0.3


def test_where_other_programs_run_a_second_thread_is_not_counted_on(monkeypatch):
    """With the processors full, two fits at once take as long as one after the other."""

    def fits_of(slowdown: float, threads: int) -> float:
        fits = {name: FitSpeed(9.0, 100, slowdown) for name in ("tfidf", "random")}
        monkeypatch.setattr(planning, "measure_learning", lambda *_: Speeds(fits=fits))
        settings = WorthSettings(models=(), quick=True, threads=threads)
        return time_plan(task(120), settings, RunContext(), limited=False).forecast.fits

    assert fits_of(1.1, threads=2) < 0.8 * fits_of(1.1, threads=1)
    assert fits_of(4.0, threads=2) == pytest.approx(fits_of(4.0, threads=1))


def test_a_quick_study_says_how_long_it_takes_before_it_begins(caplog):
    caplog.set_level("INFO", "wordworth")
    plan = time_plan(task(120), WorthSettings(models=(), quick=True), RunContext(), limited=False)
    assert plan.scope.few_runs
    assert plan.seconds["in all"] > 0
    assert any(message.endswith(f", the study takes {plan.forecast}.") for message in caplog.messages)


@pytest.mark.parametrize(
    ("slowdown", "beside"), [(1.1, "with nothing else running"), (4.0, "beside the other programs that run now")]
)
def test_a_forecast_made_while_other_programs_run_says_so(monkeypatch, caplog, slowdown, beside):
    caplog.set_level("INFO", "wordworth")
    fits = {name: FitSpeed(9.0, 100, slowdown) for name in ("tfidf", "random")}
    speeds = Speeds(windowed_seconds=0.1, truncated_seconds=0.1, fits=fits)
    monkeypatch.setattr(planning, "measure_learning", lambda *_: speeds)
    for settings in (WorthSettings(models=(), budget="1m"), WorthSettings(models=(), quick=True)):
        plan = time_plan(task(1_000), settings, RunContext(), limited=False)
        assert f"On this machine, {beside}, the study takes {plan.forecast}." in caplog.messages
        assert ("Other programs were running" in plan.warning(settings).text) == plan.busy == (slowdown > 2)


BOTH = ("mini", "other")
SLOW = Speeds(
    windowed_seconds=0.15,  # posts of 500 words, three windows each
    truncated_seconds=0.07,
    long_share=0.9,
    training={"minilm-finetuned": TrainingSpeed(4e-4, (256,) * 64)},
    fits={name: FitSpeed(0.12, 100) for name in ("tfidf", "random", "glove", "wordllama", "minilm", "tfidf+minilm")},
)
"""Made up: a machine that would read 1,000 long posts in two and a half minutes."""


def test_a_quick_study_of_long_posts_is_planned_to_take_a_minute_at_most_on_a_slow_machine(monkeypatch):
    monkeypatch.setattr(planning, "measure_reading", lambda *_: Speeds())
    monkeypatch.setattr(planning, "measure_learning", lambda *_: SLOW)
    made, settings = task(1_000), WorthSettings(quick=True)
    whole = time_plan(made, WorthSettings(), RunContext(), limited=False)
    plan = time_plan(made, settings, RunContext(), limited=False)
    assert whole.forecast.reading > 150
    assert plan.forecast.total <= 60
    assert all(plan.seconds[part] > 3 for part in ("reading", "finetuning", "fits", "rest"))
    warning = plan.warning(settings).text
    assert warning.startswith(
        "For an answer in about a minute, rows were left out and encoders read only the beginning of"
    )


def test_a_long_test_file_takes_no_rows_to_learn_from_in_a_quick_study(monkeypatch):
    made = replace(task(400), origins=(Origin("march.csv", "0", 300), Origin("april.csv", "1", 100)))
    monkeypatch.setattr(planning, "measure_learning", lambda *_: Speeds(0.05, 0.05))
    plan = time_plan(made, WorthSettings(models=(), quick=True), RunContext(), limited=False)
    assert (plan.scope.rows, plan.scope.test_rows) == (len(made.train), len(made.test))
    assert plan.warning(WorthSettings(quick=True)) is None


@pytest.mark.parametrize(
    ("rungs", "read"), [(("tfidf",), ()), (("tfidf", "mini"), ("mini",)), (("mini-static",), ("mini",)), ((), BOTH)]
)
def test_an_encoder_that_no_chosen_rung_uses_takes_no_time_and_costs_no_rows(monkeypatch, rungs, read):
    measured = []

    def measure_reading(task, models, *_):  # noqa: ARG001 - stands in for another
        measured.append(tuple(models))
        return Speeds()

    monkeypatch.setattr(planning, "measure_reading", measure_reading)
    monkeypatch.setattr(planning, "measure_learning", lambda speeds, *_: speeds)
    settings = WorthSettings(models=BOTH, rungs=rungs)
    time_plan(task(120), settings, RunContext(), limited=False)
    assert measured == [read]
