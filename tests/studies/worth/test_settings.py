"""A setting that makes no sense is refused in one line."""

from __future__ import annotations

import pytest

from wordworth.errors import BadInput
from wordworth.studies.worth.settings import WorthSettings


@pytest.mark.parametrize("choice", [{"margin": 0}, {"seeds": 1}, {"hourly_price": -1}, {"draws": 10}, {"threads": 0}])
def test_a_setting_out_of_range_is_one_clear_error(choice):
    with pytest.raises(BadInput, match="out of range"):
        WorthSettings(**choice)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"margin": "x"}, "`margin` is 'x'; give a number"),
        ({"models": ("minilm", "none")}, "none together with another model"),
        ({"models": ("minilm", "glove", "minilm")}, "`models` has minilm twice; name each once"),
        ({"vectors": ("a.npy", "a.npy")}, "`vectors` has a.npy twice; name each once"),
        ({"models": ("a/mine", "b/mine")}, "whose rungs would both be called 'mine'; rename one of the folders"),
    ],
)
def test_a_choice_that_makes_no_sense_is_told_in_a_line(choice, said):
    with pytest.raises(BadInput, match=said):
        WorthSettings(**choice)
