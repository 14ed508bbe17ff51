from __future__ import annotations

import dataclasses
import re

import pytest
from example_record import example
from tests.reports.example_record import RUNGS, SIZES, Shape, comparing

from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.reports.worth.record_view import WorthView


def test_the_rungs_compared_and_their_difference_are_those_of_the_verdict():
    view = WorthView.of(with_captions(comparing("glove", "wordllama")))
    assert view.compared == ("glove", "wordllama")
    assert view.compared_gap == (-0.019, -0.028, -0.010)


def test_titles_with_a_comma_of_earlier_records_have_todays_form() -> None:
    record = example()
    ladder = record.tables["ladder"]
    earlier = [re.sub(r"^MiniLM \((.*)\)$", r"MiniLM, \1", title) for title in ladder.columns["title"]]
    assert earlier != ladder.columns["title"]
    old = dataclasses.replace(ladder, columns={**ladder.columns, "title": earlier})
    assert render(dataclasses.replace(record, tables={**record.tables, "ladder": old})) == render(record)


def view(shape=None, **timings):
    record = example(shape)
    decision = {**record.timings["decision"], **timings}
    return WorthView.of(dataclasses.replace(record, timings={**record.timings, "decision": decision}))


CELLS = 7, len(SIZES)
"""Rows and columns of the map of the example."""


def filled(value):
    rows, columns = CELLS
    return [[value] * columns for _ in range(rows)]


def test_the_rungs_are_in_the_order_of_the_ladder_and_the_last_size_is_that_of_the_largest_measured():
    viewed = view()
    assert list(viewed.ladder)[: len(RUNGS)] == [rung for rung, *_ in RUNGS]
    assert viewed.most_labels == SIZES[-1]  # the example has extrapolated points of twice and four times as many
    assert set(viewed.scored()) == {row["rung"] for row in viewed.rows("curve")}


def test_a_rung_is_the_floor_or_contextual_by_its_row_and_in_records_without_the_column_by_its_family():
    viewed = view()
    assert "contextual" not in viewed.ladder["minilm"]
    assert [viewed.is_floor(rung) for rung in ("majority", "tfidf", "unheard of")] == [True, False, False]
    assert [rung for rung in viewed.scored() if viewed.is_contextual(rung)] == ["minilm", "hybrid", "minilm-finetuned"]
    assert viewed.has_context
    assert not view(Shape(contextual=False)).has_context


def test_in_a_pair_the_only_contextual_rung_comes_second():
    viewed = view()
    pairs = [("minilm", "tfidf"), ("tfidf", "minilm"), ("glove", "tfidf"), ("minilm", "hybrid")]
    assert [viewed.pair({"rung": first, "against": second}) for first, second in pairs] == [
        ("tfidf", "minilm"),
        ("tfidf", "minilm"),
        ("glove", "tfidf"),
        ("minilm", "hybrid"),
    ]


@pytest.mark.parametrize(
    ("rung", "uncertain", "uniform"),
    [
        (filled("tfidf"), filled(True), True),
        (filled("tfidf"), filled(False), True),
        ([*filled("tfidf")[1:], ["minilm"] * CELLS[1]], filled(False), False),
        ([*filled("tfidf")[1:], ["minilm"] * CELLS[1]], filled(True), True),
        (filled("tfidf"), [*filled(False)[1:], [True] * CELLS[1]], False),
    ],
    ids=["all open", "one rung", "two rungs", "two rungs, all open", "one row open"],
)
def test_a_map_says_the_same_everywhere_where_all_is_open_or_one_rung_is_named(rung, uncertain, uniform):
    assert view(rung=rung, uncertain=uncertain).map_is_uniform == uniform


def test_a_map_that_names_no_rung_is_none_and_one_of_an_earlier_version_has_no_doubts():
    assert view(rung=filled(None)).decision == {}
    assert view(uncertain=None).uncertain == filled(False)


def test_the_titles_of_no_rung_and_of_one_that_is_not_on_the_ladder():
    viewed = view()
    assert (viewed.title(None), viewed.title("unheard of")) == ("no rung", "unheard of")
    assert viewed.style("unheard of") == viewed.style(None)
    assert viewed.style("tfidf") != viewed.style("minilm")


def test_where_the_verdict_names_no_known_rung_the_best_is_the_one_with_the_highest_score():
    scores = {row["rung"]: row["score"] for row in view().rows("ladder") if row["score"] is not None}
    record = comparing("tfidf", "minilm", best="gone", rung="gone")
    viewed = WorthView.of(record)
    assert viewed.best == viewed.chosen == max(scores, key=scores.get)


def test_scores_and_intervals_are_written_in_points():
    viewed = view()
    assert viewed.score_text({"score": 0.784, "low": 0.7692, "high": 0.7981}) == "78.4 (76.9–79.8)"
    assert viewed.interval_text(0.784, None, 0.8) == "78.4"
    assert viewed.interval({"gap_low": -0.019, "gap_high": 0.004}, "gap_", signed=True) == "−1.9 to +0.4"
    assert view().rate("tfidf") == 21_300
    assert view().rate("unheard of") is None
