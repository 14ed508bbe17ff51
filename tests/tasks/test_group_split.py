"""Groups are divided as wholes, as evenly as scikit-learn divides them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

from wordworth.tasks.group_split import balanced_parts, hold_out_groups, shuffled_groups

rows = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=10, max_size=60)


def authors(seed, count=60, size=30.0):
    """Groups of very different sizes, in which one class is more frequent than in others."""
    rng = np.random.default_rng(seed)
    sizes = 1 + rng.geometric(1 / size, count)
    group = np.repeat(np.arange(count), sizes)
    leaning = rng.beta(1.0, 2.0, count)
    return group, (rng.random(len(group)) < leaning[group]).astype(np.int64)


def unevenness(folds, labels):
    """How far the folds are from equal: in their number of rows and of rows of each class, in shares of the mean."""
    counts = np.array([[len(fold), *np.bincount(labels[fold], minlength=2)] for fold in folds])
    return (counts.std(axis=0) / counts.mean(axis=0)).max()


@settings(max_examples=60, deadline=None)
@given(rows=rows, count=st.integers(2, 5), seed=st.integers(0, 5))
def test_every_group_is_in_one_part_and_no_part_is_empty(rows, count, seed):
    group, labels = np.array(rows).T
    part = balanced_parts(group, labels, [1 / count] * count, np.random.default_rng(seed))
    for each in np.unique(group):
        assert len(np.unique(part[group == each])) == 1
    assert len(np.unique(part)) == min(count, len(np.unique(group)))


@pytest.mark.parametrize("seed", range(5))
def test_folds_are_as_even_as_those_of_scikit_learn(seed):
    group, labels = authors(seed)
    part = balanced_parts(group, labels, [0.2] * 5, np.random.default_rng(seed))
    ours = unevenness([np.flatnonzero(part == number) for number in range(5)], labels)
    texts = np.zeros((len(group), 1))
    peers = StratifiedGroupKFold(5, shuffle=True, random_state=seed), GroupKFold(5)
    theirs = [unevenness([test for _, test in peer.split(texts, labels, group)], labels) for peer in peers]
    assert ours <= 1.1 * min(theirs) + 0.01


@pytest.mark.parametrize("share", [0.1, 0.25, 0.4])
def test_a_part_has_about_its_share_of_rows_and_of_each_class(share):
    group, labels = authors(0, count=200)
    part = balanced_parts(group, labels, [1 - share, share], np.random.default_rng(0))
    assert abs(np.mean(part) - share) < 0.02
    assert abs(np.mean(part[labels == 1]) - share) < 0.02


def test_a_group_of_most_rows_leaves_the_others_to_the_other_parts():
    group = np.concatenate([np.zeros(900, dtype=np.int64), np.arange(1, 101)])
    part = balanced_parts(group, np.zeros(1000, dtype=np.int64), [0.2] * 5, np.random.default_rng(0))
    assert sorted(np.bincount(part)) == [25, 25, 25, 25, 900]


def test_another_seed_divides_otherwise():
    group, labels = np.repeat(np.arange(50), 4), np.tile([0, 1], 100)
    first, again, other = (balanced_parts(group, labels, [0.5, 0.5], np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


@settings(max_examples=60, deadline=None)
@given(rows=rows, seed=st.integers(0, 5))
def test_no_group_is_both_learned_from_and_held_out_and_every_class_is_learned(rows, seed):
    group, labels = np.array(rows).T
    train, held_out = hold_out_groups(group, labels, labels, 0.3, np.random.default_rng(seed))
    assert sorted([*train, *held_out]) == list(range(len(rows)))
    assert not set(group[train]) & set(group[held_out])
    assert set(labels[train]) == set(labels)


@settings(max_examples=40, deadline=None)
@given(group=st.lists(st.integers(0, 6), min_size=1, max_size=40), seed=st.integers(0, 5))
def test_shuffled_rows_of_a_group_follow_each_other(group, seed):
    group = np.array(group)
    rows = np.arange(len(group))[:: 1 + seed % 2]
    mixed = shuffled_groups(rows, group, np.random.default_rng(seed))
    assert sorted(mixed) == sorted(rows)
    changes = int((np.diff(group[mixed]) != 0).sum())
    assert changes == len(np.unique(group[rows])) - 1


def test_a_large_group_is_not_more_often_the_first():
    group = np.repeat([0, 1, 2, 3], [97, 1, 1, 1])
    firsts = [group[shuffled_groups(np.arange(100), group, np.random.default_rng(seed))[0]] for seed in range(400)]
    assert np.abs(np.bincount(firsts) / 400 - 0.25).max() < 0.08
