"""Numbers in sentences say no more than was measured, and never the wrong sign."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.sentence_formatting import (
    count_of,
    decimal,
    duration,
    join_words,
    one_spelling,
    passing_by_chance,
    percent,
    points_phrase,
    quoted,
    signed,
    signed_range,
    significant,
)


@given(share=st.floats(0, 1), digits=st.integers(0, 3))
def test_only_nothing_is_0_percent_and_only_everything_is_100(share, digits):
    words = percent(share, digits)
    assert (float(words.split()[-2]) == 0) == (share == 0)
    assert words.startswith("100") == (share == 1)


@given(value=st.floats(-10, 10))
def test_a_difference_that_rounds_to_nothing_has_no_sign(value):
    words = signed(value)
    assert (words == "0.0") == (abs(round(100 * value, 1)) == 0)
    assert words == "0.0" or words[0] == ("+" if value > 0 else "−")


def test_minus_is_a_minus_sign_and_not_a_hyphen():
    assert [decimal(-1.5, 1), significant(-0.00123), signed(-1)] == ["−1.5", "−0.0012", "−100.0"]
    assert signed_range(-0.01, math.inf, 0.9) == "90 %: −1.0 to ∞"


@pytest.mark.parametrize(("value", "words"), [(0.0999, "0.10"), (9.99, "10"), (1, "1.0")])
def test_two_digits_say_the_size_of_a_number(value, words):
    assert significant(value) == words


def test_exactly_one_point_is_one_point():
    assert [points_phrase(value) for value in (0.0104, -0.0096, 0.011)] == ["1.0 point", "1.0 point", "1.1 points"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (7_199, "120 min"), (7_200, "2 h"), (86_400, "24 h")],
)
def test_a_duration_has_the_unit_that_one_would_say(seconds, words):
    assert duration(seconds) == words


def test_a_measured_duration_has_two_units():
    assert [duration(seconds, exact=True) for seconds in (59.4, 59.9, 3_599, 3_600)] == [
        *("59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min"),
    ]


def test_nouns_agree_with_their_number():
    assert [count_of(number, "entity", "entities") for number in (0, 1, 1_000)] == [
        *("0 entities", "1 entity", "1,000 entities"),
    ]


def test_lists_of_none_one_two_and_three():
    assert [join_words("abc"[:number]) for number in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_truth_values_and_whole_numbers_have_one_spelling_and_other_names_their_own():
    assert [one_spelling(name) for name in ("True", "FALSE", "true")] == ["true", "false", "true"]
    assert [one_spelling(name) for name in ("1.0", "-2.0", "1", "10.0")] == ["1", "-2", "1", "10"]
    for name in ("Truth", "1.5", "1.00", "v1.0", "1.2.0", "", "٣.0"):
        assert one_spelling(name) == name


def test_a_word_from_right_to_left_is_kept_apart_from_the_figures_behind_it():
    assert quoted("cat") == "“cat”"
    assert quoted("הסרט") == "“\u2068הסרט\u2069”"


def test_one_comparison_in_twenty_passes_by_luck_and_half_as_many_on_one_side():
    assert passing_by_chance(144, 0.05) == "7.2 would pass by luck without the correction"
    assert passing_by_chance(144, 0.025) == "3.6 would pass by luck without the correction"
