"""The dev part."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.tasks.stratified_split import cluster_ids
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.dev_split import dev_split


def test_the_dev_part_is_of_the_training_part_with_its_mix_and_never_of_the_test_part():
    task = sample_task("single", 600)
    found = dev_split(task, 0.1, 0)
    rows = np.concatenate([found.train, found.dev])
    assert sorted(rows) == sorted(task.train)
    assert not set(rows) & set(found.test)
    shares = [np.bincount(task.labels[some], minlength=3) / len(some) for some in (found.dev, task.train)]
    assert np.abs(shares[0] - shares[1]).max() < 0.03
    assert len(dev_split(sample_task("single", 90), 0.1, 0).dev) == 0


@pytest.mark.parametrize("kind", ["single", "pair", "regression", "multilabel", "choice", "span", "tags"])
def test_what_hangs_together_is_not_both_learned_from_and_chosen_on(kind):
    task = sample_task(kind, 1200)
    blocks = tuple(row // 5 for row in range(1200))
    alike = {
        name: tuple(getattr(task.examples, name)[block * 5] for block in blocks)
        for name in ("first", "second")
        if getattr(task.examples, name) is not None
    }
    task = replace(task, examples=replace(task.examples, documents=blocks, **alike))
    found, whole = dev_split(task, 0.1, 0), cluster_ids(kind, task.examples)
    assert not set(whole[found.train]) & set(whole[found.dev])
    assert len(found.dev) == pytest.approx(0.1 * len(task.train), rel=0.3)


@pytest.mark.parametrize("authors", [4, 60])
def test_groups_that_the_user_names_are_not_both_learned_from_and_chosen_on_however_few(authors):
    task = sample_task("single", 600)
    task = replace(task, examples=replace(task.examples, groups=tuple(row % authors for row in range(600))))
    found, group = dev_split(task, 0.1, 0), np.array(task.examples.groups)
    assert not set(group[found.train]) & set(group[found.dev])
    assert len(found.dev) == (100 if authors == 4 else pytest.approx(40, abs=8))


def test_a_dev_part_is_drawn_of_sentences_where_documents_are_too_few():
    task = sample_task("tags", 600)
    task = replace(task, examples=replace(task.examples, documents=tuple(row // 300 for row in range(600))))
    assert len(dev_split(task, 0.1, 0).dev) == 40
