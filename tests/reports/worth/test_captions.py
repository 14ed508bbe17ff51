"""What the charts of a record show stands in the record, in sentences."""

import dataclasses

import pytest
from tests.reports.example_record import example
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import TFIDF, study

from wordworth.records import Finding, Table
from wordworth.reports import render
from wordworth.reports.worth.captions import add_captions, leaders
from wordworth.reports.worth.view import WorthView


def test_a_rung_that_was_not_run_at_a_size_between_two_of_its_own_leads_where_its_line_does():
    points = {
        "tfidf": [(50, 0.5), (100, 0.6), (200, 0.70), (400, 0.72)],
        "both": [(50, 0.6), (100, 0.65), (200, 0.74), (400, 0.78)],
        "tuned": [(100, 0.7), (400, 0.8)],
    }
    assert leaders(points) == [(50, "both"), (100, "tuned"), (200, "tuned"), (400, "tuned")]


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


def of_pair(first, second, **numbers):
    """The made-up record with a verdict that compares these two rungs, its captions added."""
    record = example()
    verdict = record.finding("verdict")
    changed = Finding("verdict", verdict.text, {**verdict.numbers, "compared": first, "against": second, **numbers})
    return add_captions(dataclasses.replace(record, findings=[changed, *record.findings[1:]]))


def titles(record):
    """The titles of the charts that say which rung is better, and the ladder's titles by rung."""
    named = {row["rung"]: row["title"] for row in record.tables["ladder"].rows()}
    return record.finding("caption.curves").text, record.timings["captions"]["cost"]["title"], named


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_titles_of_curves_and_costs_are_about_the_two_rungs_of_the_verdict(first, second):
    curves, cost, named = titles(of_pair(first, second))
    for title in (curves, cost):
        assert named[first] in title
        assert named[second] in title
        assert not [name for rung, name in named.items() if rung not in (first, second) and name in title]
    assert cost.startswith(f"{named[first]} scores 1.9 points (95 %: 1.0 to 2.8) below {named[second]}")


def test_who_leads_of_all_rungs_is_a_note_where_it_is_another_one():
    notes = of_pair("tfidf", "minilm").finding("caption.curves").numbers["notes"]
    assert notes[0].startswith("Of all rungs: ")
    assert "TF-IDF beside MiniLM is ahead" in notes[0]


def test_a_difference_that_may_be_none_is_not_called_a_lead():
    words = {high: titles(of_pair("tfidf", "minilm", low=-0.02, high=high))[0] for high in (-0.01, 0.001)}
    assert "not told apart" not in words[-0.01]
    assert words[0.001].endswith("; at 3,893 labels they are not told apart")
    assert titles(of_pair("tfidf", "minilm", low=-0.008, high=0.001))[0].endswith("they are level")


def test_the_rungs_compared_and_their_difference_are_those_of_the_verdict():
    view = WorthView.of(of_pair("glove", "wordllama"))
    assert view.compared == ("glove", "wordllama")
    assert view.compared_gap == (-0.019, -0.028, -0.010)


def test_the_difference_corrected_for_its_choice_is_the_one_that_is_told():
    corrected = {"corrected": -0.011, "corrected_low": -0.02, "corrected_high": -0.001}
    assert "scores 1.1 points (95 %: 0.1 to 2.0) below" in titles(of_pair("tfidf", "minilm", **corrected))[1]


def test_another_rung_that_stands_for_context_is_named_below_the_chart():
    about, other = of_pair("tfidf", "minilm-finetuned"), of_pair("tfidf", "minilm")
    assert about.finding("caption.slices").text.startswith("The gap to MiniLM (fine-tuned) is larger")
    assert other.finding("caption.slices").text.startswith("The gap to context is larger")
    assert ">Context is here MiniLM (fine-tuned).</p>" in render(other)
    assert "Context is here" not in render(about)


def test_of_two_rungs_with_the_same_scores_none_is_ahead():
    record = example()
    rows = [{**row, "score": 0.7} for row in record.tables["curve"].rows()]
    level = dataclasses.replace(record, tables={**record.tables, "curve": Table.of(rows, dict.fromkeys(rows[0], ""))})
    title = add_captions(level).finding("caption.curves").text
    assert title == "TF-IDF + linear and MiniLM (fine-tuned) score the same at every number of labels"
