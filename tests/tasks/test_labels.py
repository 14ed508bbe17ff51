"""Which classes a row has, and into which strata rows fall when a test part is drawn."""

import numpy as np
import pytest

from wordworth.tasks.labels import in_order, memberships, occurrences, strata, take

CLASSES = np.array([0, 1, 1, 2])
FLAGS = np.array([[True, False, True], [False, False, False], [False, True, True]])
TAGS = (np.array([0, 0, 1]), np.array([2]), np.array([], dtype=np.int64))
VALUES = np.linspace(0, 1, 100)


def pairs(rows_and_classes):
    return list(zip(*(values.tolist() for values in rows_and_classes), strict=True))


def test_names_that_are_numbers_come_by_size_and_before_the_others():
    assert in_order({"2", "10", "-1", "b", "B", "1.5"}) == ("-1", "1.5", "2", "10", "B", "b")


@pytest.mark.parametrize("labels", [CLASSES, FLAGS, VALUES])
def test_rows_are_taken_in_the_order_asked_for(labels):
    assert np.array_equal(take(labels, np.array([2, 0])), labels[[2, 0]])


def test_sentences_are_taken_whole():
    assert [tags.tolist() for tags in take(TAGS, np.array([1, 0, 1]))] == [[2], [0, 0, 1], [2]]


def test_every_tagged_word_counts_once_and_an_empty_sentence_not_at_all():
    assert pairs(occurrences(TAGS)) == [(0, 0), (0, 0), (0, 1), (1, 2)]


def test_a_row_has_each_of_its_classes_once():
    assert pairs(memberships(TAGS)) == [(0, 0), (0, 1), (1, 2)]
    assert pairs(memberships(CLASSES)) == [(0, 0), (1, 1), (2, 1), (3, 2)]
    assert pairs(memberships(FLAGS)) == [(0, 0), (0, 2), (2, 1), (2, 2)]


def test_numbers_have_no_classes():
    assert pairs(memberships(VALUES)) == []
    assert pairs(occurrences(VALUES)) == []


def test_rows_of_one_class_are_a_stratum():
    of_row = strata(CLASSES)
    assert of_row[1] == of_row[2]
    assert len(set(of_row.tolist())) == 3


def test_a_row_of_several_labels_counts_to_the_rarest_and_one_without_any_has_its_own_stratum():
    labels = np.array([[True, True], [True, False], [True, False], [False, False], [False, True], [True, False]])
    of_row = strata(labels)
    assert of_row[0] == of_row[4] != of_row[1] == of_row[2] == of_row[5]
    assert of_row[3] not in set(of_row[[0, 1]].tolist())


def test_values_fall_into_bins_of_equal_size_in_their_order():
    of_row = strata(VALUES, bins=4)
    assert np.bincount(of_row).tolist() == [25, 25, 25, 25]
    assert (np.diff(of_row) >= 0).all()


def test_equal_values_are_one_stratum():
    assert len(set(strata(np.full(10, 3.0)).tolist())) == 1
