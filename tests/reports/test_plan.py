"""The page of a plan."""

from dataclasses import replace

from wordworth.records import Table
from wordworth.reports import render
from wordworth.studies.worth.planning.pair import SIZES
from wordworth.studies.worth.planning.record import PAIRS, PLAN, PlanRequest, usual_record
from wordworth.studies.worth.planning.settings import PlanSettings
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.tasks.examples import Origin

ORIGIN = Origin("<b>texts</b>.csv", "0" * 64, 400)
RECORD = usual_record(
    PlanRequest(ReadSettings(), WorthSettings(label_price=0.25, currency="€"), PlanSettings(plan=True)), ORIGIN, 400
)
ROW = {"labels": 50, "price": 12.5, "difference": float("inf"), "half_width": 0.09, "least": 0.1, "most": float("inf")}


def test_the_answer_and_every_number_of_labels_are_told():
    page = render(RECORD)
    for told in (RECORD.finding("verdict").numbers["headline"], "not figures of your texts", "€12.50", "€3,200"):
        assert told in page
    assert all(f"{size:,}" in page for size in SIZES)
    assert "There is no page" not in page
    assert "Pairs of rungs" not in page
    assert "<b>texts" not in page


def test_a_lead_that_cannot_be_is_an_empty_cell_that_says_why():
    page = render(replace(RECORD, tables={"plan": Table.of([ROW], PLAN)}))
    assert page.count("the rungs disagree on fewer texts than the lead that would be shown") >= 2
    assert "inf" not in page.split("What so many test labels show")[1].split("</table>")[0]


def test_the_pairs_behind_the_plan_are_shown():
    pair = {"cheap": "tfidf", "contextual": "minilm", "disagreement": 0.2, "labels_for_margin": float("inf")}
    page = render(replace(RECORD, tables={**RECORD.tables, "pairs": Table.of([pair], PAIRS)}))
    shown = page.partition("<caption>Pairs of rungs")[2]
    assert all(told in shown for told in ("tfidf", "minilm", ">20", "no number of labels is sure to show it"))
