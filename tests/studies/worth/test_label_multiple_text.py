"""How many times the labels a cheap rung needs, in a sentence that claims no more than the curves show."""

import math

import pytest

from wordworth.studies.worth.label_multiple_text import multiple_text

ROW = {"state": "exact", "labels": 1_000, "multiple": 3.24, "low": 2.0, "high": 5.0}


def sentence(**changes):
    return multiple_text({**ROW, **changes}, "TF-IDF", "MiniLM")


def test_a_multiple_has_its_interval():
    assert sentence() == (
        "TF-IDF needs about 3.2 times the labels to score what MiniLM scores with 1,000 (95 %: 2.0 to 5.0)."
    )


def test_a_multiple_under_one_is_said_to_be_of_a_rung_that_is_behind_with_more_labels():
    assert sentence(multiple=0.62, low=0.31, high=1.4, labels=200) == (
        "What MiniLM scores with 200 labels, TF-IDF scores with about 0.6 times as many (95 %: 0.3 to 1.4); with all "
        "the labels there are, it is behind."
    )


@pytest.mark.parametrize("end", [math.inf, math.nan])
def test_an_end_that_the_curve_does_not_reach_is_said_so(end):
    assert sentence(high=end).endswith("(95 %: 2.0 or more).")
    assert sentence(low=0.0).endswith("(95 %: up to 5.0).")


def test_an_interval_without_ends_is_no_estimate():
    words = sentence(low=0.0, high=math.inf)
    assert "cannot be estimated: the curves bound it on neither side" in words
    assert "3.2" not in words


def test_beyond_the_measured_labels_only_a_lower_bound_is_claimed():
    assert sentence(state="more than", multiple=2.0) == (
        "What MiniLM scores with 1,000 labels, TF-IDF does not reach with 2.0 times as many."
    )
    assert sentence(state="more than", multiple=1.05) == (
        "TF-IDF does not reach the score of MiniLM with all the labels there are."
    )


def test_a_curve_that_flattens_below_never_reaches_it():
    assert sentence(state="never") == (
        "By the curve fitted to its scores, TF-IDF never reaches what MiniLM scores with 1,000 labels."
    )


def test_without_a_row_only_what_was_seen_is_said():
    assert multiple_text({}, "TF-IDF", "MiniLM") == "More labels did not let TF-IDF reach the score of MiniLM."
