"""Which rung learns from which labels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.fake_ladder import FakeRung, constant, task

from wordworth.studies.worth.label_grid import LabelGrid, doubling_sizes, label_grid
from wordworth.studies.worth.settings import WorthSettings

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


@given(st.integers(16, 100_000), st.integers(0, 200), st.integers(1, 8))
def test_sizes_double_and_end_at_all_the_labels(labels, classes, most):
    sizes = doubling_sizes(labels, classes, most)
    assert sizes[-1] == labels
    assert len(sizes) <= most
    assert all(2 * small in {large, large - 1} for small, large in pairwise(sizes))


def test_a_smaller_subset_is_part_of_every_larger_one_of_the_same_draw():
    layout = label_grid(task(), WorthSettings())
    for seed in range(5):
        for small, large in pairwise(layout.sizes):
            assert set(layout.rows(small, seed)) <= set(layout.rows(large, seed))


def test_fine_tuning_runs_on_the_same_subsets_at_fewer_sizes():
    layout = label_grid(task(), WorthSettings())
    dear, all_runs = set(layout.runs(FakeRung("tuned", "finetuned", constant(0)))), set(layout.runs())
    assert dear < all_runs
    assert (layout.top, 0) in dear
