"""The plan of a study's time: a scope within the budget, and its forecast for the record."""

from tests.studies.worth.made_up import task

from wordworth.representations.rung import RunContext
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.time_plan.plan import time_plan


def test_the_parts_of_a_forecast_add_up_and_the_scope_of_a_small_study_is_whole():
    made, settings = task(120), WorthSettings(models=())
    plan = time_plan(made, settings, RunContext(), limited=False)
    assert plan.scope == plan.whole
    assert plan.scope.rows == len(made.used)
    parts = dict(plan.seconds)
    assert abs(parts.pop("in all") - sum(parts.values())) < 0.3


def test_a_quick_study_says_how_long_it_takes_before_it_begins(caplog):
    caplog.set_level("INFO", "wordworth")
    plan = time_plan(task(120), WorthSettings(models=(), quick=True), RunContext(), limited=False)
    assert plan.scope.few_runs
    assert plan.seconds["in all"] > 0
    assert f"On this machine, with nothing else running, the study takes {plan.forecast}." in caplog.messages
