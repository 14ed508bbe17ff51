"""Words are chosen on one half of the pairs and measured on the other; intervals cover where the truth is simulated."""

import numpy as np

from wordworth.measures.bootstrap import Resamples
from wordworth.studies.similarity.word_shares import FEWEST_PAIRS, word_shares

WORDS = [f"w{number}" for number in range(12)]


def simulated(seed, pairs=120, strong=1.0):
    """Pairs whose words all give what average tokens give, but for the first, which gives `strong` times as much.

    Their random pairs have the same words, which all give what average tokens give.
    """
    rng = np.random.default_rng(seed)
    own, random, cosines = [], [], []
    for _ in range(pairs):
        chosen = rng.permutation(len(WORDS))[:6]
        expected = np.full(6, 0.1)
        parts = expected * rng.gamma(4, 1 / 4, 6) * np.where(chosen == 0, strong, 1.0)
        own.append({WORDS[word]: (part, each) for word, part, each in zip(chosen, parts, expected, strict=True)})
        beside = expected * rng.gamma(4, 1 / 4, 6)
        random.append({WORDS[word]: (part, each) for word, part, each in zip(chosen, beside, expected, strict=True)})
        cosines.append(float(parts.sum()))
    return own, random, cosines


def test_the_interval_of_a_word_chosen_as_the_largest_still_covers_its_true_ratio():
    inside = total = 0
    for seed in range(60):
        row = word_shares(*simulated(seed), Resamples(200, seed))[0]
        inside += row["ratio_low"] <= 1.0 <= row["ratio_high"]
        total += 1
    assert inside / total > 0.87  # 95 % but for the 60 draws and the bootstrap of 60 pairs


def test_a_word_that_gives_more_leads_and_is_shown_to():
    (row, *others) = word_shares(*simulated(0, strong=3.0), Resamples(200, 0))
    assert row["word"] == "w0"
    assert row["ratio_low"] > 1.5
    assert row["above"]
    assert all(other["share"] < row["share"] for other in others)


def test_words_of_few_pairs_are_left_out():
    pairs, random, cosines = simulated(0)
    pairs[0]["rare"] = (9.0, 0.1)
    rows = word_shares(pairs, random, cosines, Resamples(200, 0))
    assert "rare" not in {row["word"] for row in rows}
    assert min(row["pairs"] for row in rows) >= FEWEST_PAIRS


def test_a_word_that_gives_as_much_to_random_pairs_has_no_gap_and_one_that_gives_more_has():
    rows = [word_shares(*simulated(seed), Resamples(200, seed))[0] for seed in range(60)]
    assert sum(row["gap_low"] <= 0 <= row["gap_high"] for row in rows) / len(rows) > 0.87
    driver = word_shares(*simulated(0, strong=3.0), Resamples(200, 0))[0]
    assert driver["gap_low"] > 0
    assert abs(driver["gap"] - (driver["mean"] - driver["random"])) < 1e-12


def test_a_word_that_random_pairs_lack_gives_them_nothing():
    pairs, _, cosines = simulated(0)
    (row, *_) = word_shares(pairs, [{} for _ in pairs], cosines, Resamples(200, 0))
    assert row["random"] == 0
    assert row["gap"] == row["mean"] > 0


def test_hardly_any_study_says_that_a_word_gives_more_where_none_does():
    studies = [word_shares(*simulated(seed), Resamples(200, seed)) for seed in range(60)]
    assert sum(any(row["above"] for row in rows) for rows in studies) <= 6  # 2.5 % asked for; uncorrected near 20 %
    assert sum(any(row["ratio_low"] > 1 for row in rows) for rows in studies) > 6
