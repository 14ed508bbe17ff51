"""What the charts of a record show stands in the record, in sentences."""

from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import TFIDF, study

from wordworth.reports import render
from wordworth.reports.worth.captions import leaders


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
    assert curves.text == "Minilm leads at every number of labels"
    assert curves.numbers["notes"][0].startswith("Predicted, not measured: with 600 labels, 300 more")
    assert "The gap to Minilm is larger on the hard half in" in record.finding("caption.slices").text
    titles = [caption["title"] for caption in record.timings["captions"].values()]
    assert titles[1] == "With 300 labels, context is worth it at any volume: Minilm"
    assert all(f">{title}</h3>" in render(record) for title in (titles[1], curves.text))
