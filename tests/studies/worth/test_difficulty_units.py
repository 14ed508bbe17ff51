"""What measures of difficulty speak of, and what they go along with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task

from wordworth.errors import MissingExtra
from wordworth.studies.worth import difficulty_units
from wordworth.studies.worth.difficulty_units import measures
from wordworth.testing.sample_tasks import sample_task


def seen_in_training(task):
    counts = {}
    for row in task.train:
        for word in task.examples.words[row]:
            counts[word] = counts.get(word, 0) + 1
    return counts


def test_an_entitys_words_are_as_frequent_as_a_reader_counts_them():
    task = sample_task("tags", 120)
    counts, units = seen_in_training(task), measures(task)["complexity"]
    expected = []
    for row in task.test:
        words, tags = task.examples.words[row], [task.classes[tag] for tag in task.labels[row]]
        starts = [place for place, tag in enumerate(tags) if tag.startswith("B-")]
        for start in starts:
            end = start + 1
            while end < len(tags) and tags[end].startswith("I-"):
                end += 1
            expected.append((len(words), np.mean([np.log1p(counts.get(word, 0)) for word in words[start:end]])))
    assert len(expected) == len(units.values)
    np.testing.assert_allclose(units.covariates.T, expected)


@pytest.mark.parametrize("kind", ["single", "pair", "tags"])
def test_every_unit_has_a_length_and_a_frequency(kind):
    task = sample_task(kind, 120)
    for units in measures(task).values():
        assert units.covariates.shape == (2, len(units.values))
        assert np.isfinite(units.covariates).all()
        assert units.covariates[0].max() > 1


def test_a_word_seen_anywhere_in_the_training_part_is_not_unseen():
    made = task(600)
    texts = [f"only{row}" for row in range(600)]
    texts[made.test[0]] = texts[made.train[-1]]
    values = measures(replace(made, examples=replace(made.examples, first=tuple(texts))))["unseen"].values
    assert (values[0], set(values[1:])) == (0.0, {1.0})


@pytest.mark.parametrize("kind", ["single", "pair", "tags"])
def test_in_folds_a_text_is_as_hard_as_for_a_reader_of_the_other_folds(kind):
    whole = sample_task(kind, 120)
    every = np.arange(len(whole.examples))
    task = replace(whole, train=every, test=every, folds=tuple(every[number::3] for number in range(3)))
    pooled = measures(task)
    for number, part in enumerate(task.folds):
        for name, units in measures(task.on_split(number)).items():
            of_fold = np.isin(pooled[name].test_item, part)
            np.testing.assert_array_equal(pooled[name].values[of_fold], units.values)
            np.testing.assert_array_equal(pooled[name].covariates[:, of_fold], units.covariates)


def english(made):
    texts = ["the cat sat on the mat .", "the cat that the dog in the garden had seen was on the mat ."] * 300
    return replace(made, examples=replace(made.examples, first=tuple(texts)))


def test_english_texts_are_as_complex_as_their_arcs_are_long():
    made = english(task(600))
    units = measures(made)["complexity"]
    assert "syntactic head" in units.meaning
    values = dict(zip([made.examples.first[row] for row in made.test], units.values, strict=True))
    assert 1 <= values[made.examples.first[0]] < values[made.examples.first[1]]


def test_other_texts_and_machines_without_torch_have_their_clauses_counted(monkeypatch):
    other, made = task(600), english(task(600))
    texts = ["die katze liegt , und der hund schläft ."] * 600
    other = replace(other, examples=replace(other.examples, first=tuple(texts)))
    assert measures(other)["complexity"].meaning.endswith("(no parser was used)")
    assert measures(other)["complexity"].values[0] == 7 / 2  # marks are no words
    assert measures(made, parse=False)["complexity"].meaning.endswith("(no parser was used)")

    def missing(package, extra):
        raise MissingExtra(package, extra)

    monkeypatch.setattr(difficulty_units, "require_package", missing)
    assert measures(made)["complexity"].meaning.endswith("(no parser was used)")
