"""Endings drawn from trigrams."""

import numpy as np

from wordworth.studies.commonsense.ngram_sampler import NgramSampler

TEXTS = [("a b", "c d"), ("a b", "c e"), ("x y", "c d f")]


def test_only_words_that_follow_in_the_texts_are_drawn_and_a_seed_draws_the_same():
    sampler = NgramSampler(TEXTS)
    drawn = [sampler.continued("a b", np.random.default_rng(seed)) for seed in range(50)]
    assert len(set(drawn)) > 1
    assert {word for text in drawn for word in text.split()} <= set("cdef")
    assert drawn == [sampler.continued("a b", np.random.default_rng(seed)) for seed in range(50)]


def test_shares_are_those_of_the_trigram():
    sampler = NgramSampler([("a b", "c")] * 3 + [("a b", "d")])
    rng = np.random.default_rng(0)
    firsts = [sampler.continued("x a b", rng).split()[0] for _ in range(4_000)]
    assert abs(firsts.count("c") / 4_000 - 0.75) < 0.03


def test_an_unknown_context_and_no_texts_end():
    assert set(NgramSampler(TEXTS).continued("", np.random.default_rng(0)).split()) <= set("cdef")
    assert NgramSampler([]).continued("a b", np.random.default_rng(0)) == ""
