"""The part on the parser: its scores beside those of its controls."""

from tests.reports.test_syntax import record

from wordworth.reports.record_view import RecordView
from wordworth.reports.syntax_parser_section import parser_figures


def test_every_parser_has_its_scores_and_how_far_it_is_behind():
    (figure,) = parser_figures(RecordView.of(record()))
    assert figure.title.replace("\u00a0", " ") == (
        "A parser on all layers finds 70 % of the heads, 70 % with their relations"
    )
    model, chain = figure.table.rows[0], figure.table.rows[1]
    assert (model[0].text, model[3].text, chain[0].text, chain[3].text) == ("model", "–", "right-branching", "+20.0")


def test_records_without_a_parser_have_no_such_part():
    assert parser_figures(RecordView.of(record(parser=False))) == []
