"""Which rung learns from which labels."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.fake_ladder import FakeRung, constant, task

from wordworth.studies.worth.label_grid import LabelGrid, doubling_sizes, label_grid
from wordworth.studies.worth.settings import WorthSettings
from wordworth.tasks.stratified_split import fold

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


def test_many_labels_of_many_classes_have_few_draws_below_all_labels():
    assert draws(layout(classes=501), "counts") == {50: 5, 100: 2, 200: 5}
    assert draws(layout(classes=501), "constant") == dict.fromkeys(SIZES, 5)


def test_the_constant_has_every_draw_for_runs_that_fail():
    assert draws(layout(quick=True, tagging=True), "constant") == dict.fromkeys(SIZES, 5)


def test_fine_tuning_is_rare():
    assert draws(layout(), "finetuned") == {50: 0, 100: 0, 200: 3}  # the third where the verdict hangs on it
    assert draws(layout(few_runs=True, tagging=True), "finetuned") == {50: 0, 100: 0, 200: 1}


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


def in_folds(rows=300, folds=5):
    """A made-up task in folds, whose last hundred texts are those of the hundred before, said again."""
    made, every = task(rows), np.arange(rows)
    texts = [*made.examples.first[: rows - 100], *made.examples.first[rows - 200 : rows - 100]]
    parts = fold(np.unique(texts, return_inverse=True)[1], made.labels, folds, np.random.default_rng(0))
    return replace(made, examples=replace(made.examples, first=tuple(texts)), train=every, test=every, folds=parts)


def test_on_all_labels_a_run_predicts_the_fold_that_it_did_not_learn_from():
    made = in_folds()
    grid = label_grid(made, WorthSettings())
    for seed, part in enumerate(made.folds):
        assert sorted([*grid.subsets[seed], *part]) == list(made.test)
        assert list(grid.items(grid.top, seed)) == list(part)


def test_on_fewer_labels_a_run_also_predicts_rows_whose_texts_it_has_not_read():
    made = in_folds()
    grid = label_grid(made, WorthSettings())
    for labels in grid.sizes[:-1]:
        for seed in range(5):
            items, learned = grid.items(labels, seed), grid.rows(labels, seed)
            assert set(made.folds[seed]) <= set(items)
            assert len(items) > len(made.folds[seed])
            texts = made.examples.first
            assert not {texts[row] for row in items} & {texts[row] for row in learned}


def of_authors(made, authors=40):
    return replace(
        made, examples=replace(made.examples, groups=tuple(row % authors for row in range(len(made.labels))))
    )


def test_of_groups_that_the_user_names_subsets_are_whole_groups_but_for_the_last():
    made = of_authors(task())
    grid, author = label_grid(made, WorthSettings()), np.array(made.examples.groups)
    for seed in range(5):
        assert sorted(grid.subsets[seed]) == sorted(made.train)
        for labels in grid.sizes[:-1]:
            learned, rest = grid.rows(labels, seed), grid.subsets[seed][labels:]
            assert len(set(author[learned]) & set(author[rest])) <= 1
    assert grid.sizes[0] >= 4 * 1_600 / 40


def test_on_fewer_labels_a_run_of_groups_also_predicts_groups_that_it_has_not_read():
    made = of_authors(task(300), 30)
    author, every = np.array(made.examples.groups), np.arange(300)
    made = replace(
        made, train=every, test=every, folds=tuple(np.flatnonzero(author % 5 == number) for number in range(5))
    )
    grid = label_grid(made, WorthSettings())
    for labels in grid.sizes[:-1]:
        for seed in range(5):
            items = grid.items(labels, seed)
            assert not set(author[items]) & set(author[grid.rows(labels, seed)])
            assert len(items) > len(made.folds[seed])


def test_a_held_out_test_part_is_predicted_whole():
    grid = label_grid(task(300), WorthSettings())
    assert grid.items(grid.top, 0) is None
    assert grid.items(grid.sizes[0], 4) is None
