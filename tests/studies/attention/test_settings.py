"""The settings refuse what the study cannot do."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.attention.settings import AttentionSettings


def test_units_are_words_or_pieces():
    assert AttentionSettings().units == "words"
    with pytest.raises(BadInput, match="letters"):
        AttentionSettings(units="letters")


@pytest.mark.parametrize("model", [{"model": "mini"}, {"beside": "random"}])
def test_arrays_are_not_read_with_a_model(model, tmp_path):
    with pytest.raises(BadInput, match="both arrays and a model are given; leave out"):
        AttentionSettings(arrays=tmp_path / "maps.npz", **model)
