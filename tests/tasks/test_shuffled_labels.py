"""A task whose labels say nothing of its texts."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.shuffled_labels import shuffled_labels
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.parametrize("kind", ["classification", "regression", "multilabel", "multiple_choice"])
def test_labels_stay_as_frequent_and_those_of_the_test_part_stay_in_place(kind):
    task = sample_task(kind, 90)
    shuffled = shuffled_labels(task, 0)
    assert np.array_equal(shuffled.gold(task.test), task.gold(task.test))
    assert not np.array_equal(shuffled.gold(task.train), task.gold(task.train))
    before, after = (np.sort(np.asarray(each.gold(task.train)), axis=0) for each in (task, shuffled))
    assert np.array_equal(before, after)
    assert np.array_equal(shuffled_labels(task, 0).labels, shuffled.labels)
    assert not np.array_equal(shuffled_labels(task, 1).labels, shuffled.labels)


def test_the_right_option_is_one_that_there_is():
    task = sample_task("multiple_choice", 60)
    counts = [2 + row % 2 for row in range(60)]
    options = tuple(each[:count] for each, count in zip(task.examples.options, counts, strict=True))
    mixed = replace(
        task,
        examples=replace(task.examples, options=options),
        labels=np.minimum(task.labels, np.array(counts) - 1),
    )
    shuffled = shuffled_labels(mixed, 3)
    assert (shuffled.labels < np.array(counts)).all()
    for count in (2, 3):
        rows = [row for row in mixed.train if counts[row] == count]
        assert sorted(shuffled.labels[rows]) == sorted(mixed.labels[rows])


@pytest.mark.parametrize("kind", ["tagging", "question_answering"])
def test_labels_that_cannot_change_places_are_refused(kind):
    with pytest.raises(BadInput, match="cannot change places"):
        shuffled_labels(sample_task(kind, 30), 0)
