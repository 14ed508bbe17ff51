"""The constant answer that a model has to beat: learned from the choosing half, scored on the other."""

from dataclasses import replace

import numpy as np
import pytest

import wordworth as ww
from wordworth.measures.metrics import metric
from wordworth.studies.shrink.constant_answer import constant_answer, constant_name
from wordworth.testing.sample_tasks import sample_task


def test_it_is_the_most_frequent_class_of_the_training_part_for_every_row():
    task = sample_task("single")
    predicted = constant_answer(task, 0)
    commonest = np.bincount(task.gold(task.train)).argmax()
    assert predicted.argmax(1).tolist() == [commonest] * len(task.test)
    assert constant_name(task) == "the constant answer (majority class)"


def test_a_word_gets_its_usual_tag():
    task = sample_task("tags")
    predicted = constant_answer(task, 0)
    assert [len(tags) for tags in predicted] == [len(tags) for tags in task.gold(task.test)]
    assert constant_name(task) == "a word's usual tag"


@pytest.mark.parametrize("name", ["pearson", "spearman"])
def test_a_correlation_with_it_is_0(name):
    task = replace(sample_task("regression"), metric=name)
    predicted = constant_answer(task, 0)
    assert np.ptp(predicted) == 0
    assert metric(name, ()).score(task.gold(task.test), predicted) == 0


@pytest.fixture(scope="module")
def of_noise(tmp_path_factory):
    """A study of labels that no text tells."""
    draw = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("noise") / "rows.csv"
    words = ["fox", "owl", "cat", "dog", "bee", "ant", "elk", "hen"]
    lines = [f"{' '.join(draw.choice(words, 6))} {n},{'ab'[int(draw.random() < 0.7)]}" for n in range(100)]
    path.write_text("\n".join(["text,label", *lines]), encoding="utf-8")
    return ww.study_shrink("mini", path, metric="accuracy", draws=200)


def test_no_smaller_model_of_one_that_learned_nothing_is_named_enough(of_noise):
    numbers = of_noise.finding("verdict").numbers
    assert numbers["headline"].startswith("Nothing to shrink")
    assert (numbers["model"], numbers["vectors"]) == (None, None)
    first, second = of_noise.finding("verdict").text.split("\n")
    assert first.startswith("The whole model (")
    assert second.startswith("The whole vector (")
