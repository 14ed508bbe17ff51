"""Words that moved: a planted word is found, chosen and measured on different texts; a common shift does not count."""

import numpy as np
import pytest

from wordworth.studies.finetuning_changes.compare_representations import RUN, SECOND, START, Compared
from wordworth.studies.finetuning_changes.moved_words import distances, moved_words


def compared(*, with_second=True):
    rng = np.random.default_rng(0)
    words = tuple(["good", "film", "the", "was"] * 50)
    start = rng.normal(size=(200, 16)).astype(np.float32)
    run = start + 3  # a shift of all words alike
    run[0::4] += rng.normal(size=16) * 3  # and `good` somewhere else
    second = run + rng.normal(size=run.shape) * 0.1
    last = {START: start, RUN: run} | ({SECOND: second} if with_second else {})
    nothing = np.zeros((50, 1))
    return Compared(
        {}, np.zeros(0, np.int64), last, words, np.repeat(np.arange(50), 4), {(START, RUN): nothing}, {}, {}
    )


def test_the_word_that_moved_comes_first_with_an_interval_that_excludes_the_others():
    found = moved_words(compared(), 200, np.random.default_rng(0))
    first, *others = found.words
    assert first.word == "good"
    assert first.interval.low > max(word.interval.high for word in others)
    assert first.by_seed < first.moved
    assert 15 < first.occurrences < 35  # the texts that measure alone


def test_without_a_second_run_the_seed_is_unknown():
    found = moved_words(compared(with_second=False), 100, np.random.default_rng(0))
    assert np.isnan(found.mean_by_seed)
    assert np.isnan(found.words[0].by_seed)


def test_a_shift_of_all_words_is_no_distance():
    vectors = np.random.default_rng(1).normal(size=(30, 4)).astype(np.float32)
    assert distances(vectors, vectors + 7) == pytest.approx(np.zeros(30), abs=1e-5)
    assert distances(vectors, -vectors) == pytest.approx(np.full(30, 2.0), abs=1e-5)
