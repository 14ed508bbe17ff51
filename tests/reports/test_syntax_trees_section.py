"""Sentences in the plane: a title with the edges found, three panels, and every edge in a table."""

from tests.reports.test_syntax import record

from wordworth.reports.record_view import RecordView
from wordworth.reports.syntax_trees_section import tree_figures


def test_a_sentence_has_three_panels_and_its_edges():
    (figure,) = tree_figures(RecordView.of(record(form="cat")))
    assert figure.title == "1 of 2 edges: “cat cat cat”"
    assert [row[2].text for row in figure.table.rows] == ["found", "missed", "wrong"]
    picture = figure.drawings[0].svg
    assert picture.count("stroke-dasharray") == 2  # under the probe alone
    assert len(figure.drawings[0].stops) == 9


def test_a_record_without_trees_has_no_figure():
    assert tree_figures(RecordView.of(record(trees=False))) == []
