"""The static table of an encoder answers texts by a head that half of the rows taught."""

import numpy as np
import pytest

from wordworth.progress import SILENT
from wordworth.studies.shrink.static_table_candidate import static_table
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.slow
def test_it_predicts_from_texts_and_is_far_smaller(clear_rows):
    task = read_task(clear_rows, ReadSettings(test=0.5))
    (table,) = static_table("mini", task, 0, SILENT)
    examples = task.examples.take(task.test)
    scores = table.predict(examples)
    assert scores.shape == (len(task.test), len(task.classes))
    assert (scores.argmax(1) == task.gold(task.test)).mean() > 0.9
    assert (table.size.heads, table.size.layers) == (0, 0)
    assert table.num_bytes < 1e7


def test_it_is_the_same_for_a_seed():
    task = sample_task("single")
    first, second = (next(static_table("mini", task, 0, SILENT)) for _ in range(2))
    examples = task.examples.take(task.test)
    assert np.array_equal(first.predict(examples), second.predict(examples))
