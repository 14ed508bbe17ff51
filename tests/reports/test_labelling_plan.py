"""The page of a plan, and its words on the terminal."""

import math
from dataclasses import replace

from wordworth.measures.bootstrap import Interval
from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.labelling_plan import terminal_text
from wordworth.studies.worth.planning.record import PAIRS, PLAN, PlanRequest, usual_record
from wordworth.studies.worth.planning.rung_pair import SIZES
from wordworth.studies.worth.planning.settings import PlanSettings
from wordworth.studies.worth.planning.variance_on_published_sets import usual_pair
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.tasks.examples import Origin

ORIGIN = Origin("<b>texts</b>.csv", "0" * 64, 400)
REQUEST = PlanRequest(ReadSettings(), WorthSettings(label_price=0.25, currency="€"), PlanSettings(plan=True))
RECORD = usual_record(REQUEST, ORIGIN, 400)
ROW = {"labels": 50, "price": 12.5, "difference": float("inf"), "half_width": 0.09, "least": 0.1, "most": float("inf")}


def test_the_answer_and_every_number_of_labels_are_shown():
    page = render(RECORD)
    for text in (RECORD.finding("verdict").numbers["headline"], "not figures of your texts", "€12.50", "€3,200"):
        assert text in page
    assert all(f"{size:,}" in page for size in SIZES)
    assert "There is no page" not in page
    assert "Pairs of rungs" not in page
    assert "<b>texts" not in page


def test_a_lead_that_cannot_be_is_an_empty_cell_that_says_why():
    page = render(replace(RECORD, tables={"plan": Table.of([ROW], PLAN)}))
    assert page.count("the rungs surely disagree on fewer texts than the lead that would be shown") >= 2
    assert "inf" not in page.split("What so many test labels show")[1].split("</table>")[0]


def test_the_pairs_behind_the_plan_are_shown():
    pair = {
        "cheap": "tfidf",
        "contextual": "minilm",
        "disagreement": 0.2,
        "disagreement_low": 0.16,
        "disagreement_high": 0.25,
        "labels_for_margin": float("inf"),
    }
    page = render(replace(RECORD, tables={**RECORD.tables, "pairs": Table.of([pair], PAIRS)}))
    table = page.partition("<caption>Pairs of rungs")[2]
    assert all(text in table for text in ("tfidf", "minilm", ">20", "no number of labels is sure to show it"))


def test_the_terminal_shows_a_line_for_each_number_of_labels_under_the_verdict():
    lines = terminal_text(RECORD).splitlines()
    assert lines[0] == RECORD.finding("verdict").numbers["headline"]
    head = next(row for row, line in enumerate(lines) if line.lstrip().startswith("test labels"))
    table = lines[head : head + 1 + len(SIZES)]
    assert len({len(line) for line in table}) == 1
    assert [line.split()[0] for line in table[1:]] == [f"{size:,}" for size in SIZES]
    assert table[2].split()[1] == "€25"
    assert lines[-1] == "Leads and intervals are in points of accuracy; least to most is over published sets."


def test_a_lead_that_the_rungs_cannot_have_is_none():
    alike = replace(usual_pair(0.287), disagreement=0.05, disagreement_interval=Interval(0.04, 0.06))
    table = REQUEST.table(alike, [alike])
    assert table.columns["difference"][0] == math.inf
    lines = terminal_text(replace(RECORD, tables={"plan": table})).splitlines()
    assert next(line for line in lines if line.split()[:1] == ["50"]).split()[2] == "none"
    assert lines[-1].endswith("over published sets; none: the rungs surely disagree on fewer texts.")
