"""Settings out of range are refused with their option."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.similarity.settings import SimilaritySettings, require_effect


@pytest.mark.parametrize("choices", [{"top": 0}, {"examples": 0}, {"limit": 0}, {"draws": 5}, {"units": "letters"}])
def test_values_out_of_range_are_refused(choices):
    with pytest.raises(BadInput, match=next(iter(choices))):
        SimilaritySettings(**choices)


def test_settings_that_have_an_effect_pass():
    require_effect(["model", "units"], table=False, query=False)
    require_effect(["text", "text_b", "limit", "examples", "draws", "seed"], table=True, query=False)
    require_effect(["text", "top", "draws", "seed"], table=True, query=True)


@pytest.mark.parametrize("name", ["text", "text_b", "top", "limit", "examples", "draws", "seed"])
def test_a_setting_without_effect_on_two_texts_is_refused(name):
    with pytest.raises(BadInput, match=f"{name}.*two texts.*a table with"):
        require_effect([name], table=False, query=False)


def test_the_settings_that_differ_from_their_defaults_have_names():
    assert SimilaritySettings(top=5, limit=3).changed == ["limit"]
