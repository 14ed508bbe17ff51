"""What is called enough, and the level of intervals of several comparisons."""

import pytest

from wordworth.records import Finding, Record
from wordworth.reports.record_view import RecordView
from wordworth.reports.shrink.record_view import beats_constant, enough, level


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({}, "enough"),
        ({"model_beats_constant": True}, "enough"),
        ({"model_beats_constant": False}, "within the margin"),
    ],
)
def test_a_model_that_does_not_beat_the_constant_answer_is_within_the_margin_at_most(numbers, words):
    view = RecordView.of(Record("shrink", {}, {}, {}, [Finding("verdict", "", numbers)]))
    assert enough(view, "model") == words
    assert beats_constant(view, "model") == (words == "enough")
    assert enough(view, "vectors") == "enough"


def test_the_number_of_comparisons_is_said_where_there_are_several():
    assert [level(number) for number in (0, 1, 2)] == ["95 %", "95 %", "97.5 %, corrected for 2 comparisons"]
