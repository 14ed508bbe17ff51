"""The settings of finding phrases: the threshold suits the score."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.objectives.masking.phrase_settings import PhraseSettings


def test_each_score_has_a_threshold_of_its_own():
    assert PhraseSettings().lowest_score == 0.5
    assert PhraseSettings(scoring="word2phrase").lowest_score == 10
    assert PhraseSettings(threshold=0.3).lowest_score == 0.3


@pytest.mark.parametrize(
    "bad", [{"threshold": 2.0}, {"min_count": 1}, {"rounds": 0}, {"scoring": "pmi"}], ids=lambda bad: next(iter(bad))
)
def test_what_is_out_of_range_is_refused(bad):
    with pytest.raises(BadInput, match=r"out of range|scoring"):
        PhraseSettings(**bad)
