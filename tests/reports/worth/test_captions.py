"""What the charts of a record show stands in the record, in sentences."""

from dataclasses import replace

import pytest
from tests.reports.elements import elements
from tests.reports.example_record import Shape, comparing, example
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import TFIDF, study

from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions


def test_the_title_of_every_chart_stands_in_the_record():
    record = with_captions(study(TFIDF, FakeRung("minilm", "frozen", constant(0.95))))
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
    curves, cost, named = titles(with_captions(comparing(first, second)))
    for title in (curves, cost):
        assert named[first] in title
        assert named[second] in title
        assert not [name for rung, name in named.items() if rung not in (first, second) and name in title]
    assert cost.startswith(f"{named[first]} scores 1.9 points (95 %: 1.0 to 2.8) below {named[second]}")


def test_where_the_answer_prints_a_corrected_interval_the_chart_adds_no_other():
    corrected = {"corrected": 0.0, "corrected_low": -0.028, "corrected_high": 0.0}
    curves, cost, _ = titles(with_captions(comparing("tfidf", "minilm", **corrected)))
    assert cost.startswith("TF-IDF + linear scores 1.9 points below MiniLM (frozen) here, at ")
    assert "not surely below" not in curves


def test_another_rung_that_stands_for_context_is_named_below_the_chart():
    about, other = with_captions(comparing("tfidf", "minilm-finetuned")), with_captions(comparing("tfidf", "minilm"))
    assert about.finding("caption.slices").text.startswith("The gap to MiniLM (fine-tuned) is larger")
    assert other.finding("caption.slices").text.startswith("The gap to context is larger")
    assert ">The contextual rung is MiniLM (fine-tuned) here.</p>" in render(other)
    assert "The contextual rung is" not in render(about)


SENTENCES = {"h1", "h2", "h3", "h4", "summary", "caption", "li"}


@pytest.mark.parametrize("shape", [
    Shape(), Shape(kind="tags", metric="entity_f1"), Shape(kind="regression", metric="spearman"),
    Shape(contextual=False, answer="cannot tell yet"),
], ids=str)  # fmt: skip
def test_titles_and_sentences_begin_with_a_capital_or_the_name_of_a_model(shape):
    record = example(shape)
    models = [
        row["title"] for row in record.tables["ladder"].rows() if row["family"] in {"static", "frozen", "finetuned"}
    ]
    html = render(record)
    texts = [one.text for one in elements(html) if one.name in SENTENCES and "blockquote" not in one.inside]
    assert not [text for text in texts if text[:1].islower() and not text.startswith(tuple(models))]


@pytest.mark.parametrize(("rung", "title", "begins"), [
    ("majority", "majority class", "Majority class "), ("random", "random vectors", "Random vectors "),
    ("glove", "glove-100", "glove-100 "),
])  # fmt: skip
def test_a_title_that_begins_with_words_for_a_rung_begins_with_a_capital_and_a_name_is_kept(rung, title, begins):
    plain = comparing(rung, "minilm")
    ladder = plain.tables["ladder"]
    rows = [dict(row, title=title) if row["rung"] == rung else row for row in ladder.rows()]
    made = replace(plain, tables={**plain.tables, "ladder": Table.of(rows, dict.fromkeys(rows[0], ""))})
    assert with_captions(made).timings["captions"]["cost"]["title"].startswith(begins)
