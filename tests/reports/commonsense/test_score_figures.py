"""The page of a `commonsense` record: sets, methods, comparisons and examples, with every string escaped."""

import pytest
from tests.studies.commonsense.test_tables import pairs, pronouns

from wordworth.records import Finding, Record
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.reports.commonsense.score_figures import difference_figure, score_figure
from wordworth.reports.record_view import RecordView
from wordworth.studies.commonsense.findings import verdict
from wordworth.studies.commonsense.tables import tables_of


@pytest.fixture(scope="module")
def record():
    tables = tables_of([pronouns(), pairs()], 0)
    data = {"name": "wsc, blimp", "model": "mini"}
    return with_captions(Record("commonsense", {}, data, tables, [verdict(tables, "mini")]))


def test_a_method_above_guessing_is_bold_and_titles_count_sets(record):
    view = RecordView.of(record)
    figure = score_figure(view, "pronouns")
    assert figure.title == "What pronouns stand for: surely above guessing"
    assert score_figure(view, "pairs").title == "Which sentence is good: not surely above guessing"
    assert [row[1].text for row in figure.table.rows] == ["attention from pronoun", "likelihood", "nearest candidate"]
    rows = view.rows("differences")
    sure = sum(row["corrected"] <= 0.05 for row in rows)
    assert difference_figure(view).title == f"{sure} of {len(rows)} comparisons of two methods are beyond luck"


def test_the_page_has_every_part(record):
    page = render(record)
    for words in ("mini is surely above guessing on 1 of 2 sets.", "What each set can show", "A saw b, so [she] left."):
        assert words in page


def test_without_comparisons_there_is_no_chart_of_them():
    tables = tables_of([pairs()], 0)
    tables["differences"] = type(tables["differences"]).of([], tables["differences"].describe)
    record = Record("commonsense", {}, {"name": "b", "model": "m"}, tables, [Finding("verdict", "", {"headline": "x"})])
    assert difference_figure(RecordView.of(with_captions(record))).absent
