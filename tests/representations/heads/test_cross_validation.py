from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.cross_validation import FoldPlan, assign_folds, best, split_off


def target(labels, kind="single", metric="accuracy"):
    return Target(kind=kind, labels=labels, classes=("a", "b", "c"), metric=metric)


@settings(max_examples=40, deadline=None)
@given(labels=st.lists(st.integers(0, 2), min_size=1, max_size=60), seed=st.integers(0, 3))
def test_every_item_is_held_out_in_one_fold_and_folds_are_alike_in_size(labels, seed):
    found = assign_folds(target(np.array(labels)), np.random.default_rng(seed), 3)
    sizes = np.bincount(found, minlength=min(3, len(labels)))
    assert len(found) == len(labels)
    assert sizes.max() - sizes.min() <= 1
    assert len(sizes) <= 3


def test_every_class_is_spread_over_the_folds():
    labels = np.array([0] * 30 + [1] * 6 + [2] * 3)
    found = assign_folds(target(labels), np.random.default_rng(0), 3)
    for fold in range(3):
        assert np.bincount(labels[found == fold]).tolist() == [10, 2, 1]


def test_numbers_are_stratified_by_rank_and_labels_by_the_rarest():
    values = np.arange(90.0)
    by_rank = assign_folds(target(values, "regression", "pearson"), np.random.default_rng(0), 3)
    many = np.zeros((60, 3), bool)
    many[:, 0], many[:6, 2] = True, True
    by_rarest = assign_folds(target(many, "multilabel", "micro_f1"), np.random.default_rng(0), 3)
    for fold in range(3):
        assert abs(values[by_rank == fold].mean() - 44.5) < 1.5
        assert many[by_rarest == fold, 2].sum() == 2


def test_every_item_is_held_out_once_in_a_round():
    splits = FoldPlan().split(target(np.arange(103) % 3), np.random.default_rng(0))
    assert sorted(np.concatenate([held_out for _, held_out in splits]).tolist()) == list(range(103))
    for training, held_out in splits:
        assert sorted([*training, *held_out]) == list(range(103))


def test_with_many_items_folds_end_when_enough_were_held_out():
    splits = FoldPlan(enough=300).split(target(np.arange(1000) % 3), np.random.default_rng(0))
    assert [len(held_out) for _, held_out in splits] == [200, 200]
    assert all(len(training) == 800 for training, _ in splits)


@pytest.mark.parametrize(("items", "repeats"), [(100, 5), (300, 4), (700, 1), (2000, 1)])
def test_few_items_are_divided_as_often_as_enough_contains_their_number_up_to_a_limit(items, repeats):
    whole = target(np.arange(items) % 3)
    divisions = FoldPlan(enough=1200, repeats=5).divisions(whole, np.random.default_rng(0))
    assert len(divisions) == repeats
    assert len({tuple(held_out.tolist()) for splits in divisions for _, held_out in splits}) == sum(map(len, divisions))
    first = FoldPlan(enough=1200).split(whole, np.random.default_rng(0))
    for (_, expected), (_, held_out) in zip(first, divisions[0], strict=True):
        assert np.array_equal(held_out, expected)


@given(st.integers(0, 400), st.integers(1, 300), st.integers(1, 5))
@settings(max_examples=50)
def test_the_number_of_fits_is_that_of_the_folds_of_all_divisions(items, enough, repeats):
    plan = FoldPlan(enough=enough, repeats=repeats)
    divisions = plan.divisions(target(np.arange(items) % 3), np.random.default_rng(0))
    assert plan.num_fits(items) == sum(map(len, divisions))


def test_items_in_groups_are_fitted_in_every_fold():
    plan = FoldPlan(enough=10)
    grouped = replace(target(np.arange(100) % 3), groups=np.arange(100) // 4)
    assert plan.num_fits(100, grouped=True) == len(plan.split(grouped, np.random.default_rng(0))) == 5


def test_of_one_item_the_only_division_is_empty():
    assert FoldPlan(repeats=1).divisions(target(np.array([1])), np.random.default_rng(0)) == [[]]


def test_a_single_item_cannot_be_divided():
    assert FoldPlan().split(target(np.array([1])), np.random.default_rng(0)) == []


def test_the_best_is_the_first_of_those_judged_best():
    assert best("abcd", lambda _: [0.1, 0.5, 0.5, 0.2]) == "b"


def test_nothing_to_choose_asks_nothing():
    assert best([7], lambda _: pytest.fail("asked")) == 7


def test_the_score_is_the_tasks_metric():
    said = np.eye(3)[[0, 1, 1, 2]]
    assert target(np.array([0, 1, 2, 2])).score(said) == 0.75
    assert target(np.array([0, 1, 2, 2]), metric="macro_f1").score(said) == pytest.approx(7 / 9)


def grouped(labels, groups, **choices):
    return replace(target(labels, **choices), groups=groups)


@pytest.mark.parametrize(
    ("labels", "kind", "metric"),
    [
        (np.arange(300) % 3, "single", "accuracy"),
        (np.arange(300) / 7, "regression", "pearson"),
        (np.arange(900).reshape(300, 3) % 4 == 0, "multilabel", "micro_f1"),
        (tuple(np.arange(row % 4) % 3 for row in range(300)), "tags", "token_accuracy"),
    ],
)
def test_no_group_is_both_learned_from_and_held_out_and_every_fold_is(labels, kind, metric):
    groups = np.random.default_rng(0).integers(0, 20, 300)
    whole = grouped(labels, groups, kind=kind, metric=metric)
    splits = FoldPlan(enough=10).split(whole, np.random.default_rng(0))
    assert sorted(np.concatenate([held_out for _, held_out in splits]).tolist()) == list(range(300))
    for training, held_out in splits:
        assert not set(groups[training]) & set(groups[held_out])
        assert not set(whole.take(training).groups) & set(whole.take(held_out).groups)


def test_of_few_groups_each_is_a_fold_and_of_one_nothing_is_held_out():
    labels, rng = np.arange(30) % 3, np.random.default_rng(0)
    splits = FoldPlan().split(grouped(labels, np.arange(30) % 2), rng)
    assert [sorted(held_out) for _, held_out in splits] in (
        [[*range(0, 30, 2)], [*range(1, 30, 2)]],
        [[*range(1, 30, 2)], [*range(0, 30, 2)]],
    )
    one = grouped(labels, np.zeros(30, dtype=np.int64))
    assert FoldPlan().split(one, rng) == []
    assert [len(part) for part in split_off(one, rng, 10)] == [30, 0]


def test_a_part_is_split_off_at_random_or_in_whole_groups():
    labels, groups = np.arange(300) % 3, np.arange(300) // 10
    for whole in (target(labels), grouped(labels, groups)):
        training, held_out = split_off(whole, np.random.default_rng(0), 10)
        assert sorted([*training, *held_out]) == list(range(300))
        assert len(held_out) == 30
    assert not set(groups[training]) & set(groups[held_out])
    assert [len(part) for part in split_off(target(labels), np.random.default_rng(0), 0)] == [300, 0]
