"""The page of a cascade: every share that was tried as a dot, the chosen one apart, and how fast it is."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS
from tests.studies.cascade.test_study import made, rows, runs  # noqa: F401 - fixtures

from wordworth.reports import render
from wordworth.reports.cascade import speed_sentence


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_chart(made, check):  # noqa: F811
    _, record = made
    check(record)


def test_shares_scores_and_speed_are_on_the_page(made):  # noqa: F811
    _, record = made
    page = render(record)
    for words in ("What asking less costs", "Every share that was tried", "chosen", "ms a text", "margin"):
        assert words in page
    assert "<b>a run" not in render(replace(record, data={**record.data, "first": "<b>a run</b>"}))


@pytest.mark.parametrize(("cascade", "words"), [(2.0, "2 times as fast"), (8.0, "0.5 times as fast")])
def test_the_speed_is_said_beside_the_second_model_alone(made, cascade, words):  # noqa: F811
    _, record = made
    speed = {"first": 1.0, "second": 4.0, "cascade": cascade}
    assert words in speed_sentence(replace(record, timings={**record.timings, "speed": speed}))
