"""A keyword that was renamed is still taken, with one line of notice."""

import warnings

import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.former_keywords import former_keywords


@former_keywords(epsilon="margin")
def points(margin: float = 1.0) -> float:
    """Return the margin."""
    return margin


def test_a_former_keyword_is_taken_with_a_notice():
    with pytest.warns(FutureWarning, match="^epsilon is called margin now$") as told:
        assert points(epsilon=2.0) == 2.0
    assert len(told) == 1
    assert told[0].filename == __file__


def test_the_name_of_today_has_no_notice_and_both_are_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (points(), points(3.0), points(margin=4.0)) == (1.0, 3.0, 4.0)
    with pytest.raises(TypeError, match="'epsilon' and 'margin', which is its name today"):
        points(margin=1.0, epsilon=2.0)
    assert points.__doc__ == "Return the margin."


def test_worth_takes_epsilon_for_its_margin():
    with pytest.warns(FutureWarning, match="margin"), pytest.raises(BadInput, match=r"`margin` -1\.0 is out of range"):
        ww.worth([{"text": "a", "label": "b"}], epsilon=-1.0)
