"""Test examples on the page."""

from dataclasses import replace

import numpy as np

from wordworth.studies.finetune.error_analysis import example_rows
from wordworth.testing.sample_tasks import sample_task


def test_a_text_that_stands_in_the_test_part_twice_is_shown_once():
    task = sample_task("tags", 60)
    twice = replace(task, test=np.concatenate([task.test, task.test]))
    rows = example_rows(twice, twice.gold(twice.test))
    assert {row["which"] for row in rows} == {"right"}
    assert len({row["text"] for row in rows}) == len(rows) == 6


def test_of_a_context_one_question_is_shown():
    task = sample_task("span", 60)
    contexts = tuple(f"about {number % 4}" for number in range(60))
    about = replace(task, examples=replace(task.examples, second=contexts))
    rows = example_rows(about, np.full(len(task.test), "nothing of it", dtype=object))
    assert {row["which"] for row in rows} == {"wrong"}
    assert sorted(row["text"] for row in rows) == sorted({contexts[row] for row in task.test})
