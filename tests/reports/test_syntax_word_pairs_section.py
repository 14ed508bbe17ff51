"""The part on pairs of words: attention beside distance, and the length of edges."""

from tests.reports.test_syntax import record

from wordworth.reports.record_view import RecordView
from wordworth.reports.syntax_word_pairs_section import pair_figures


def test_classifiers_and_edges_have_a_chart_each():
    attention, edges = pair_figures(RecordView.of(record()))
    assert "“which relation” in 70" in attention.title
    assert len(attention.table.rows) == 6
    assert "1.200 (det)" in edges.title
    assert [cell.text for cell in edges.table.rows[0]] == ["det", "90", "1.200"]


def test_there_is_nothing_where_nothing_was_measured():
    assert pair_figures(RecordView.of(record(pairs=False))) == []
