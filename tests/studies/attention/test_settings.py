"""The settings refuse what the study cannot do."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.attention.settings import AttentionSettings


def test_units_are_words_or_pieces():
    assert AttentionSettings().units == "words"
    with pytest.raises(BadInput, match="letters"):
        AttentionSettings(units="letters")
