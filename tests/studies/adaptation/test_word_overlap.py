"""How many frequent words texts share, beside how many can be shared."""

import numpy as np

from wordworth.studies.adaptation.word_overlap import overlap_rows


def words_of(first, count, texts, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{first + number}" for number in rng.integers(0, count, 50)) for _ in range(texts)]


def test_text_of_the_same_words_shares_as_many_as_the_other_half_and_other_words_none():
    task, same, other = words_of(0, 500, 60, 0), words_of(0, 500, 80, 1), words_of(1_000, 500, 80, 2)
    half, alike, apart = overlap_rows(task, {"same": same, "other": other}, 0)
    assert [row["texts"] for row in (half, alike, apart)] == ["the other half", "same", "other"]
    assert abs(half["overlap"] - alike["overlap"]) < 0.03
    assert apart["overlap"] == 0
    assert alike["least"] <= alike["overlap"] <= alike["most"]


def test_of_two_hundred_words_in_common_those_that_are_no_stop_words_are_the_overlap():
    task, mixed = words_of(0, 400, 100, 0), words_of(200, 400, 100, 1)
    half, beside = overlap_rows(task, {"mixed": mixed}, 0)
    assert half["overlap"] > 0.95
    assert abs(beside["overlap"] - 100 / 300) < 0.05
