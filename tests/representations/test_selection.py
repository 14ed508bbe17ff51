from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.representations.heads.head import Target
from wordworth.representations.selection import Protocol, score, search, splits, together


def target(labels, kind="single", metric="accuracy"):
    return Target(kind=kind, labels=labels, classes=("a", "b", "c"), metric=metric)


@settings(max_examples=40, deadline=None)
@given(labels=st.lists(st.integers(0, 2), min_size=2, max_size=60), most=st.integers(4, 40), seed=st.integers(0, 3))
def test_parts_are_disjoint_and_inside_the_labels(labels, most, seed):
    found = splits(target(np.array(labels)), np.random.default_rng(seed), Protocol(most=most, few=20))
    held = np.concatenate([part.held for part in found])
    assert len(held) == len(set(held.tolist()))
    for part in found:
        both = np.concatenate([part.fit, part.held])
        assert len(set(both.tolist())) == len(both) == min(most, len(labels))
        assert both.min() >= 0
        assert both.max() < len(labels)


def test_every_class_is_spread_over_the_parts():
    labels = np.array([0] * 30 + [1] * 6 + [2] * 3)
    for part in splits(target(labels), np.random.default_rng(0), Protocol()):
        assert np.bincount(labels[part.held]).tolist() == [10, 2, 1]


def test_few_labels_are_each_held_out_once_and_many_only_in_one_part():
    few = splits(target(np.arange(300) % 3), np.random.default_rng(0), Protocol())
    many = splits(target(np.arange(2000) % 3), np.random.default_rng(0), Protocol())
    assert sorted(np.concatenate([part.held for part in few]).tolist()) == list(range(300))
    assert [len(part.held) for part in many] == [500]


def test_one_label_leaves_nothing_to_choose_by():
    assert splits(target(np.array([1])), np.random.default_rng(0), Protocol()) == []


def test_numbers_are_stratified_by_rank_and_labels_by_the_rarest():
    values = np.arange(90.0)
    for part in splits(target(values, "regression", "pearson"), np.random.default_rng(0), Protocol()):
        assert abs(values[part.held].mean() - 44.5) < 1.5
    many = np.zeros((60, 3), bool)
    many[:, 0], many[:6, 2] = True, True
    for part in splits(target(many, "multilabel", "micro_f1"), np.random.default_rng(0), Protocol()):
        assert many[part.held, 2].sum() == 2


@dataclass(frozen=True)
class Point:
    x: int
    y: int


def test_the_search_finds_the_best_along_each_axis_and_asks_each_point_once():
    asked = []

    def judge(point):
        asked.append(point)
        return -abs(point.x - 2) - abs(point.y - 1)

    assert search({"x": (0, 1, 2), "y": (0, 1)}, Point(0, 0), judge) == Point(2, 1)
    assert len(asked) == len(set(asked))


def test_a_tie_keeps_what_stands():
    assert search({"x": (0, 1, 2), "y": (5, 6)}, Point(1, 6), lambda _: 0.5) == Point(1, 6)


def test_nothing_to_choose_asks_nothing():
    assert search({"x": (3,), "y": ()}, Point(3, 4), lambda _: pytest.fail("asked")) == Point(3, 4)


def test_the_score_is_the_tasks_metric():
    said = np.eye(3)[[0, 1, 1, 2]]
    assert score(target(np.array([0, 1, 2, 2])), said) == 0.75
    assert score(target(np.array([0, 1, 2, 2]), metric="macro_f1"), said) == pytest.approx(7 / 9)


def test_parts_are_put_together_in_order():
    assert together([np.array([1.0, 2.0]), np.array([3.0])]).tolist() == [1, 2, 3]
    tags = together([(np.array([1]),), (np.array([2]), np.array([0]))])
    assert [one.tolist() for one in tags] == [[1], [2], [0]]
