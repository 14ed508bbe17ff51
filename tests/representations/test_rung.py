from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.rung import Cost, Learner, Predictor, Rung, VocabularyCoverage
from wordworth.representations.tfidf import Tfidf
from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task


@dataclass(frozen=True)
class Plain(Learner):
    """A learner that defines what it must and nothing else."""

    def fit(self, rows, rng):
        raise NotImplementedError

    def cost(self):
        return Cost(disk_bytes=0, parameters=0, num_features=0)


class Cutting(Plain):
    @property
    def max_tokens(self):
        return 12_345


@pytest.mark.parametrize("change", [lambda one: one.redraw(7), lambda one: one.without_texts(np.arange(2))])
def test_a_learner_with_neither_random_features_nor_learned_texts_stays_itself(change):
    one = Plain()
    assert change(one) is one


def test_a_learner_that_says_nothing_else_reads_texts_of_any_length_and_is_not_cached():
    plain = Plain()
    assert not plain.exceeds_window(Examples(("a " * 5_000, "b"))).any()
    assert len(plain.exceeds_window(Examples(("a", "b")))) == 2
    assert (plain.max_tokens, plain.num_truncated(np.arange(9)), plain.fingerprint()) == (None, 0, None)
    assert plain.vocabulary_coverage(Examples(("a",))) is None


def test_a_learner_that_cuts_texts_says_after_how_many_tokens():
    assert "at most 12,345 tokens" in Cutting().truncation


def test_fits_that_tag_words_take_long_under_every_rung_but_the_baseline():
    class Slow(Majority):
        is_baseline = False
        slow = True

    tfidf = RepresentationRung(Tfidf())
    seconds = {
        (name, kind): rung.is_expensive(kind)
        for name, rung in {"baseline": Majority(), "tfidf": tfidf, "slow": Slow()}.items()
        for kind in ("classification", "tagging")
    }
    assert {case for case, expensive in seconds.items() if expensive} == {
        ("tfidf", "tagging"),
        ("slow", "classification"),
        ("slow", "tagging"),
    }


def test_a_rung_must_say_what_it_can_do_and_how_it_is_prepared():
    with pytest.raises(TypeError, match="kinds"):
        Rung()


def test_anything_that_predicts_rows_and_texts_is_a_predictor():
    task = sample_task("classification")
    assert isinstance(Majority().prepare(task, None).fit(task.train, None), Predictor)
    assert not isinstance(object(), Predictor)


@given(known=st.integers(0, 1000), unknown=st.integers(0, 1000))
def test_the_share_of_unknown_words_is_of_all_words_and_of_no_words_is_0(known, unknown):
    coverage = VocabularyCoverage(num_units=known + unknown, unknown=unknown, blank=0)
    assert 0 <= coverage.share <= 1
    assert coverage.share * (known + unknown) == pytest.approx(unknown)


def test_pieces_are_counted_per_word_and_per_character_where_these_are_known():
    coverage = VocabularyCoverage(num_units=30, unknown=3, blank=0, unit="pieces", words=20, characters=120)
    assert (coverage.share, coverage.per_word, coverage.per_character) == (0.1, 1.5, 0.25)
    words = VocabularyCoverage(num_units=30, unknown=3, blank=0)
    assert (words.per_word, words.per_character) == (0.0, 0.0)
