"""A split keeps equal texts together, classes in proportion, and every class in training."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.tasks.labels import strata
from wordworth.tasks.stratified_split import cluster_ids, fold, rows_to_test, sample, stratified_group_split
from wordworth.tasks.task import Examples

WORDS = (("a",), ("b",), ("c",))

rows = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=10, max_size=60)


@settings(max_examples=60, deadline=None)
@given(rows=rows, seed=st.integers(0, 5))
def test_no_text_stands_in_both_parts_and_every_class_is_trained(rows: list[tuple[int, int]], seed: int) -> None:
    groups, labels = np.array(rows).T
    train, test = stratified_group_split(groups, labels, strata(labels), len(rows) // 4, np.random.default_rng(seed))
    assert sorted([*train, *test]) == list(range(len(rows)))
    assert not set(groups[train]) & set(groups[test])
    assert set(labels[train]) == set(labels)


def test_each_class_is_tested_by_its_share() -> None:
    labels = np.repeat([0, 1, 2], [800, 160, 40])
    _, test = stratified_group_split(np.arange(1000), labels, strata(labels), 250, np.random.default_rng(0))
    assert np.abs(np.bincount(labels[test]) - [200, 40, 10]).max() <= 1


def test_texts_that_repeat_are_tested_as_often_as_others() -> None:
    groups = np.concatenate([np.repeat(np.arange(100), 4), np.arange(100, 700)])
    labels = np.zeros(1000, dtype=np.int64)
    _, test = stratified_group_split(groups, labels, strata(labels), 250, np.random.default_rng(0))
    assert abs(np.mean(groups[test] < 100) - 0.4) < 0.05


def test_a_sample_keeps_class_shares_within_a_row() -> None:
    labels = np.repeat([0, 1, 2], [500, 300, 200])
    kept = sample(np.arange(1000), strata(labels), 100, np.random.default_rng(1))
    assert np.abs(np.bincount(labels[kept]) - [50, 30, 20]).max() <= 1
    assert (np.diff(kept) > 0).all()


def test_the_test_part_is_large_enough_to_tell_and_leaves_most_to_learn_from() -> None:
    assert [rows_to_test(n, 0.25) for n in (20, 400, 1000, 10_000, 100_000)] == [8, 160, 250, 2500, 10_000]


@pytest.mark.parametrize(
    ("kind", "examples", "found"),
    [
        ("single", Examples(("a", "b", "a")), [0, 1, 0]),
        ("pair", Examples(("a", "a", "b"), ("x", "y", "x")), [0, 0, 1]),
        ("span", Examples(("who?", "what?", "who?"), ("x", "x", "y")), [0, 0, 1]),
        ("tags", Examples(("a", "b", "c"), words=WORDS, documents=(4, 4, 6)), [0, 0, 1]),
        ("tags", Examples(("a", "a", "a"), words=WORDS), [0, 1, 2]),
        ("tags", Examples(("a", "b", "c"), words=WORDS, documents=(0, 0, 0)), [0, 1, 2]),
        ("single", Examples(("a", "b", "a"), groups=(7, 7, 3)), [0, 0, 1]),
        ("pair", Examples(("a", "a", "b"), ("x", "y", "x"), groups=(1, 2, 1)), [0, 1, 0]),
        ("tags", Examples(("a", "b", "c"), words=WORDS, documents=(4, 4, 6), groups=(1, 2, 2)), [0, 1, 1]),
        ("choice", Examples(("a", "a"), options=(("x", "y"),) * 2), [0, 1]),
    ],
)
def test_a_paragraphs_questions_a_premises_hypotheses_and_a_documents_sentences_hang_together(kind, examples, found):
    assert cluster_ids(kind, examples).tolist() == found


@settings(max_examples=60, deadline=None)
@given(rows=rows, count=st.integers(2, 5), seed=st.integers(0, 5))
def test_folds_hold_every_row_once_and_no_text_is_in_two(rows: list[tuple[int, int]], count: int, seed: int) -> None:
    groups, labels = np.array(rows).T
    folds = fold(groups, strata(labels), count, np.random.default_rng(seed))
    assert sorted(np.concatenate(folds)) == list(range(len(rows)))
    assert len(folds) == count
    for number, part in enumerate(folds):
        assert not set(groups[part]) & set(groups[np.concatenate(folds[:number] + folds[number + 1 :])])


def test_folds_are_about_equal_and_have_each_class_by_its_share() -> None:
    labels = np.repeat([0, 1, 2], [800, 160, 40])
    folds = fold(np.arange(1000), strata(labels), 5, np.random.default_rng(0))
    assert {len(part) for part in folds} == {200}
    assert all(np.abs(np.bincount(labels[part]) - [160, 32, 8]).max() <= 1 for part in folds)
