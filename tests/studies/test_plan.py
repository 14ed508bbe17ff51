import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant

from wordworth.studies.worth.label_grid import LabelGrid

SIZES = (50, 100, 200)


def layout(**choices):
    return LabelGrid(SIZES, tuple(np.arange(200) for _ in range(5)), **choices)


def draws(plan, family):
    rung = FakeRung(family, family, constant(0))
    return {size: sum(labels == size for labels, _ in plan.runs(rung)) for size in SIZES}


def test_every_rung_has_every_size_and_draw():
    assert draws(layout(), "frozen") == dict.fromkeys(SIZES, 5)
    assert draws(layout(quick=True), "counts") == dict.fromkeys(SIZES, 5)


@pytest.mark.parametrize("family", ["counts", "random", "static", "frozen"])
def test_a_quick_tagging_study_has_fewer_draws_but_more_than_one(family):
    assert draws(layout(quick=True, tagging=True), family) == {50: 2, 100: 2, 200: 3}


def test_the_constant_has_every_draw_for_runs_that_fail():
    assert draws(layout(quick=True, tagging=True), "constant") == dict.fromkeys(SIZES, 5)


def test_fine_tuning_is_rare():
    assert draws(layout(), "finetuned") == {50: 0, 100: 0, 200: 2}
    assert draws(layout(quick=True, tagging=True), "finetuned") == {50: 0, 100: 0, 200: 1}
