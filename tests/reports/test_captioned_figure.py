"""A chart has the sentences of its caption, and no drawing if the caption says why."""

import pytest

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import CAPTIONS, Caption, with_captions
from wordworth.reports.charts.axes import Drawing
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import plain

PICTURES = (Drawing("<svg>wide</svg>", ()), Drawing("<svg>phone</svg>", ()))
TABLE = plain("Costs", ("model", "cost"), [("one", "2")])


@pytest.fixture
def figure(monkeypatch):
    """A function that returns the figure of the chart `costs` of a record with this caption."""

    def write(caption, *args, **further):
        monkeypatch.setitem(CAPTIONS.builtin, "any", "of this test")
        monkeypatch.setattr(CAPTIONS, "get", lambda _: lambda _: {"costs": caption})
        view = RecordView.of(with_captions(Record("any", {}, {}, {}, [])))
        return captioned_figure(view, "costs", *args, **further)

    return write


def test_the_description_says_what_is_drawn_then_the_title_then_details(figure):
    made = figure(Caption("Two is cheap", ("Of one.",)), "Cost by model.", PICTURES, TABLE, details="In cents.")
    assert made.text == "Cost by model. Two is cheap. In cents."
    assert (made.title, made.drawings, made.table, made.notes) == ("Two is cheap", PICTURES, TABLE, ("Of one.",))


def test_a_title_that_is_a_sentence_gets_no_second_full_stop(figure):
    assert figure(Caption("Two is cheap."), pictures=PICTURES).text == "Two is cheap."


def test_a_chart_that_is_absent_has_its_table_and_its_notes_but_no_drawing(figure):
    made = figure(Caption("No cost", ("Of one.",), "Nothing was bought."), "Cost by model.", PICTURES, TABLE)
    assert (made.absent, made.drawings, made.text) == ("Nothing was bought.", (), "")
    assert (made.table, made.notes) == (TABLE, ("Of one.",))
