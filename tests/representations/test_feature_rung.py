import re
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.representations.feature_rung import NoCache, RepresentationRung, feature_rows
from wordworth.representations.heads.base import sentence_lengths
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task


@dataclass(frozen=True)
class WordCount(Representation):
    """One frozen feature, the number of words, which any reader can check."""

    name = "count"
    title = "Number of words"
    family = "made up"

    def kinds(self):
        return frozenset({"classification", "tagging"})

    def views(self, examples, run_context):  # noqa: ARG002 - a Representation
        return {"count": np.array([[len(text.split())] for text in examples.first], dtype=np.float32)}

    def cost(self):
        return Cost(disk_bytes=100, parameters=7, num_features=1)


@dataclass(frozen=True)
class FewForTheChoice(LinearHead):
    """A linear head that chooses its settings on the first twelve rows."""

    @property
    def max_selection_items(self):
        return 12


def learner(representation=None, kind="classification", head=None):
    task = sample_task(kind)
    return RepresentationRung(representation or Tfidf(), head or LinearHead()).prepare(task, RunContext())


def fit(learner, rows, seed=0):
    return learner.fit(rows, np.random.default_rng(seed))


def test_a_rung_is_called_as_its_representation_and_does_what_both_its_parts_can_do():
    rung = RepresentationRung(WordCount())
    assert (rung.name, rung.title, rung.family, rung.contextual) == ("count", "Number of words", "made up", False)
    assert rung.kinds() == WordCount().kinds() & LinearHead().kinds


def test_a_frozen_representation_reads_the_texts_once_for_all_fits_and_another_anew_for_each():
    frozen, fitted = learner(WordCount()), learner(Tfidf())
    assert frozen.fit_representation(frozen.task.train[:20]) is frozen
    texts = fitted.task.examples.first
    for rows in (fitted.task.train[:20], fitted.task.train[20:40]):
        words = fitted.fit_representation(rows).features(rows)["words"].shape[1]
        pairs = [re.findall(r"\w+|[^\w\s]", texts[row]) for row in rows]
        assert words == len(
            {word for each in pairs for word in each} | {two for each in pairs for two in pairwise(each)}
        )


def test_features_of_rows_are_those_of_their_texts():
    task = sample_task("classification")
    rows = np.array([5, 2, 5])
    counted = learner(WordCount()).features(rows)["count"]
    assert counted[:, 0].tolist() == [len(task.examples.first[row].split()) for row in rows]


@pytest.mark.parametrize("kind", ["classification", "multilabel", "regression"])
def test_the_order_of_the_rows_and_the_seed_change_nothing_under_a_linear_head(kind):
    rows = sample_task(kind).train
    plain = fit(learner(kind=kind), rows)
    turned = fit(learner(kind=kind), rows[::-1].copy(), seed=5)
    assert plain.chosen == turned.chosen
    assert np.array_equal(plain.predict(np.arange(90)), turned.predict(np.arange(90)))


def test_settings_are_chosen_on_the_first_rows_where_the_head_reads_no_more():
    rows = sample_task("classification").train
    limited = fit(learner(head=FewForTheChoice()), rows)
    assert limited.chosen == fit(learner(), rows[:12]).chosen
    assert not np.array_equal(limited.predict(rows), fit(learner(), rows[:12]).predict(rows))


def test_the_same_rows_are_fitted_once():
    opened = learner()
    assert fit(opened, opened.task.train) is fit(opened, opened.task.train[::-1].copy())
    assert fit(opened, opened.task.train[:-1]) is not fit(opened, opened.task.train)


def test_a_fold_is_featurised_by_what_its_training_rows_taught():
    """Against the representation fitted on the texts of the training rows, the plain twin."""
    opened = learner()
    training, held_out = opened.task.train[:40], opened.task.train[40:]
    twin = Tfidf().fit(opened.task.examples.take(training))
    for views, rows in zip(opened.fold(training, held_out), (training, held_out), strict=True):
        plain = twin.views(opened.task.examples.take(rows), RunContext())
        assert list(views) == list(plain)
        for name in plain:
            assert abs(views[name].toarray() - plain[name].toarray()).max() < 1e-6


def test_without_texts_a_representation_that_learned_from_none_is_the_same():
    opened = learner(WordCount())
    assert opened.without_texts(np.arange(4)) is opened


def test_features_that_are_not_random_are_not_redrawn_and_random_ones_are_by_another_seed():
    plain = learner()
    assert plain.redraw(3) is plain
    drawn = RandomRung().prepare(sample_task("classification"), RunContext())
    assert drawn.redraw(0) is drawn
    views = [drawn.redraw(seed).features(np.arange(3)) for seed in (0, 1, 1)]
    first, other, again = ([np.asarray(view) for view in each.values()] for each in views)
    assert not np.array_equal(first[0], other[0])
    assert np.array_equal(other[0], again[0])


def test_a_fingerprint_is_that_of_features_and_head_and_there_is_none_where_each_fit_has_its_own():
    assert learner(WordCount()).fingerprint() == learner(WordCount()).fingerprint()
    assert learner(WordCount()).fingerprint() != learner(WordCount(), head=FewForTheChoice()).fingerprint()
    other_texts = RepresentationRung(WordCount()).prepare(sample_task("classification", seed=1), RunContext())
    assert learner(WordCount()).fingerprint() != other_texts.fingerprint()
    assert learner(Tfidf()).fingerprint() is None


def test_the_cost_is_that_of_the_representation_and_of_four_bytes_a_weight_of_the_head():
    cost = learner(WordCount()).cost()
    weights = (1 + 1) * 3  # a feature and a bias of three classes
    assert cost == Cost(disk_bytes=100 + 4 * weights, parameters=7 + weights, num_features=1)


def test_texts_of_the_task_that_come_as_new_ones_get_the_same_predictions():
    opened = learner()
    predictor, rows = fit(opened, opened.task.train), opened.task.test
    assert predictor.predict_texts(opened.task.examples.take(rows)) == pytest.approx(predictor.predict(rows), abs=1e-5)


def test_the_fractions_of_a_fit_are_reported_and_change_nothing():
    heard = []
    opened = learner()
    reporting = fit(opened.with_progress(heard.append), opened.task.train)
    assert heard
    assert all(0 <= fraction <= 1 for fraction in heard)
    assert np.array_equal(
        reporting.predict(opened.task.test), fit(learner(), opened.task.train).predict(opened.task.test)
    )


def test_no_cache_computes_anew_each_time():
    calls = []
    for _ in range(2):
        assert NoCache().array("key", lambda: calls.append(1) or np.arange(3)).tolist() == [0, 1, 2]
    assert len(calls) == 2


@given(counts=st.lists(st.integers(0, 4), min_size=1, max_size=8), data=st.data())
def test_in_tagging_the_feature_rows_of_sentences_are_those_of_their_words(counts, data):
    """Against a plain walk through all words."""
    words = tuple(tuple(f"{sentence}-{place}" for place in range(count)) for sentence, count in enumerate(counts))
    task = replace(sample_task("tagging"), examples=Examples(("",) * len(words), words=words))
    rows = np.array(data.draw(st.lists(st.integers(0, len(counts) - 1), max_size=6)), dtype=np.int64)
    every_word = [word for sentence in words for word in sentence]
    words_of_rows = [word for row in rows for word in words[row]]
    assert [every_word[row] for row in feature_rows(task, rows)] == words_of_rows
    assert sentence_lengths(task.examples, "tagging", rows).tolist() == [counts[row] for row in rows]


def test_outside_tagging_each_row_is_its_own_feature_row_and_has_no_length():
    task = sample_task("classification")
    assert feature_rows(task, np.array([3, 1])).tolist() == [3, 1]
    assert sentence_lengths(task.examples, task.kind, np.array([3, 1])) is None
