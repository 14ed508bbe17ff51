import numpy as np
import pytest
from scipy.stats import spearmanr

from wordworth.studies.languages.shared_subwords_and_transfer import LEAST, relatedness


def tables(number, slope):
    rng = np.random.default_rng(0)
    shared = rng.random(number)
    accuracy = slope * shared + rng.normal(0, 0.1, number)
    languages = [{"language": "en", "zero_shot": None, "gap": None}]
    languages += [{"language": str(row), "zero_shot": value, "gap": -value} for row, value in enumerate(accuracy)]
    return languages, [{"shared": None}, *({"shared": value} for value in shared)], spearmanr(shared, accuracy)[0]


def test_the_correlation_is_that_of_scipy_and_its_interval_resamples_languages():
    languages, pieces, expected = tables(30, 1.0)
    (said,) = relatedness(languages, pieces, 0)
    assert said.numbers["zero_shot"] == pytest.approx(expected)
    assert said.numbers["gap"] == pytest.approx(-expected)
    assert said.numbers["zero_shot_low"] < expected < said.numbers["zero_shot_high"]
    assert said.numbers["zero_shot_low"] > 0.5
    (unrelated,) = relatedness(*tables(30, 0.0)[:2], 0)
    assert unrelated.numbers["zero_shot_low"] < 0 < unrelated.numbers["zero_shot_high"]
    assert said.text.startswith("Over 30 languages, the share of pieces that en has too correlates in rank with")


def test_few_languages_have_no_correlation():
    assert relatedness(*tables(LEAST - 1, 1.0)[:2], 0) == ()
