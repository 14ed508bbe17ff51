"""Minimal pairs by phenomenon stand beside people and a published model where the data have their figures."""

from tests.studies.commonsense.test_tables import pairs

from wordworth.records import Finding, Record
from wordworth.reports.captions import with_captions
from wordworth.reports.commonsense.minimal_pair_figures import paradigm_tables, phenomenon_figure
from wordworth.reports.record_view import RecordView
from wordworth.studies.commonsense.tables import tables_of

TABLES = tables_of([pairs()], 0)
RECORD = Record("commonsense", {}, {"name": "b", "model": "m"}, TABLES, [Finding("verdict", "")])
VIEW = RecordView.of(with_captions(RECORD))


def test_all_pairs_come_first_then_the_phenomena_from_the_best():
    figure = phenomenon_figure(VIEW, "blimp")
    assert figure.title == "blimp: the good sentence is likelier in 50 % of pairs"
    assert [row[0].text for row in figure.table.rows] == ["one", "two", "all"]
    assert "gpt2" in [column.title for column in figure.table.columns]


def test_paradigms_have_a_table_of_their_own():
    (grid,) = paradigm_tables(VIEW)
    assert [row[0].text for row in grid.rows] == ["p0", "p1", "p2"]
