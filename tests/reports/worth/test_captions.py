"""What the charts of a record show stands in the record, in sentences."""

import pytest
from tests.reports.example_record import comparing
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import TFIDF, study

from wordworth.reports import render
from wordworth.reports.worth.captions import add_captions
from wordworth.reports.worth.record_view import WorthView


def test_the_title_of_every_chart_stands_in_the_record():
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.95)))
    curves = record.finding("caption.curves")
    assert curves.text == "Minilm is ahead of Tfidf at every number of labels"
    assert curves.numbers["notes"][0].startswith("Predicted, not measured: with 600 labels, 300 more")
    assert "The gap to Minilm is larger on the hard half in" in record.finding("caption.slices").text
    titles = [caption["title"] for caption in record.timings["captions"].values()]
    assert titles[1] == "With 300 labels, context is worth it at any volume: Minilm"
    assert all(f">{title}</h3>" in render(record) for title in (titles[1], curves.text))


PAIRS = [("tfidf", "minilm-finetuned"), ("minilm", "tfidf"), ("glove", "wordllama")]


def titles(record):
    """The titles of the charts that say which rung is better, and the ladder's titles by rung."""
    named = {row["rung"]: row["title"] for row in record.tables["ladder"].rows()}
    return record.finding("caption.curves").text, record.timings["captions"]["cost"]["title"], named


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_titles_of_curves_and_costs_are_about_the_two_rungs_of_the_verdict(first, second):
    curves, cost, named = titles(add_captions(comparing(first, second)))
    for title in (curves, cost):
        assert named[first] in title
        assert named[second] in title
        assert not [name for rung, name in named.items() if rung not in (first, second) and name in title]
    assert cost.startswith(f"{named[first]} scores 1.9 points (95 %: 1.0 to 2.8) below {named[second]}")


def test_the_rungs_compared_and_their_difference_are_those_of_the_verdict():
    view = WorthView.of(add_captions(comparing("glove", "wordllama")))
    assert view.compared == ("glove", "wordllama")
    assert view.compared_gap == (-0.019, -0.028, -0.010)


def test_where_the_answer_prints_a_corrected_interval_the_chart_adds_no_other():
    corrected = {"corrected": 0.0, "corrected_low": -0.028, "corrected_high": 0.0}
    curves, cost, _ = titles(add_captions(comparing("tfidf", "minilm", **corrected)))
    assert cost.startswith("TF-IDF + linear scores 1.9 points below MiniLM (frozen) here, at ")
    assert "not surely below" not in curves


def test_another_rung_that_stands_for_context_is_named_below_the_chart():
    about, other = add_captions(comparing("tfidf", "minilm-finetuned")), add_captions(comparing("tfidf", "minilm"))
    assert about.finding("caption.slices").text.startswith("The gap to MiniLM (fine-tuned) is larger")
    assert other.finding("caption.slices").text.startswith("The gap to context is larger")
    assert ">Context is here MiniLM (fine-tuned).</p>" in render(other)
    assert "Context is here" not in render(about)
