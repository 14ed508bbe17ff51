"""The record of a plan."""

from wordworth.records import Record
from wordworth.studies.worth.planning.record import PlanRequest, usual_record
from wordworth.studies.worth.planning.rung_pair import SIZES, Pair
from wordworth.studies.worth.planning.settings import PlanSettings
from wordworth.studies.worth.planning.variance_on_published_sets import usual_pair
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.tasks.examples import Origin

REQUEST = PlanRequest(ReadSettings(), WorthSettings(label_price=0.25, currency="€"), PlanSettings(plan=True))
ORIGIN = Origin("texts.csv", "0" * 64, 400)


def record() -> Record:
    return usual_record(REQUEST, ORIGIN, 400)


def test_the_range_is_that_of_all_pairs():
    easy, hard = usual_pair(0.1), usual_pair(0.4)
    columns = REQUEST.table(easy, [hard, easy]).columns
    assert columns["least"] == columns["difference"] == Pair.difference(easy, SIZES).tolist()
    assert columns["most"] == hard.difference(SIZES).tolist()


def test_the_settings_hold_everything_but_the_threads():
    settings = record().settings
    assert settings["plan"] is True
    assert {"label_price", "margin", "labels_so_far", "text"} <= settings.keys()
    assert "threads" not in settings


def test_a_plan_without_labels_says_where_its_figures_come_from_and_what_it_leaves_out():
    text = record().finding("verdict").text
    assert "not figures of your texts" in text
    assert "11 published sets on 1,200 labels each" in text
    assert "other metrics than accuracy are not covered" in record().finding("method.rungs").text
