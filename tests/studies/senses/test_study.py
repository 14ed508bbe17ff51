import numpy as np
import pytest
from tests.studies.senses import made_up, test_pairs

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.senses import study as whole
from wordworth.studies.senses.pairs import read_pairs
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.tagged import Given, Target, tagged

SETTINGS = SensesSettings(models=("m", "t"), draws=100, pool=60, shown=12)


@pytest.fixture(scope="module")
def record():
    readers = {"m": made_up.MadeUp(), "t": made_up.Static()}
    sets = [made_up.made_up(240), read_pairs("pairs", test_pairs.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        yield whole.study(SETTINGS, SILENT)


def test_the_record_answers_and_says_how_sure_it_is(record):
    best = record.finding("verdict").numbers["tagged"][0]
    assert record.verdict.startswith(f"made-up model: {100 * best['gap']:.1f} points above frequency.")
    assert "95 % interval" in record.verdict
    assert record.finding("verdict").numbers["pairs"][0]["model"] == "made-up model"


def test_what_needs_no_vectors_is_there_once_a_set_whatever_the_number_of_models(record):
    rows = record.tables["scores"].rows()
    plain = [(row["data"], row["system"], row["of"]) for row in rows if row["model"] is None]
    assert len(plain) == len(set(plain)) == 4
    assert {row["model"] for row in rows} == {None, "made-up model", "made-up table"}


def test_the_explorer_shows_words_of_two_senses_with_their_occurrences_and_neighbours(record):
    words = {row["word"]: row for row in record.tables["explorer"].rows()}
    assert set(words) == {"bank", "bat"}  # the sun has one sense
    pictured = [row for row in record.tables["occurrences"].rows() if row["entry"] == words["bank"]["entry"]]
    assert len(pictured) <= 12
    assert {row["sense"] for row in pictured} == {0, 1}
    for row in record.tables["neighbours"].rows():
        assert row["words"]
        assert row["form"] not in row["words"]


def test_senses_that_context_shows_lie_apart_in_the_picture(record):
    bank = next(row["entry"] for row in record.tables["explorer"].rows() if row["word"] == "bank")
    rows = [row for row in record.tables["occurrences"].rows() if row["entry"] == bank]
    places = [np.array([[row["x"], row["y"]] for row in rows if row["sense"] == sense]) for sense in (0, 1)]
    within = np.mean([np.linalg.norm(place - place.mean(axis=0), axis=1).mean() for place in places])
    assert np.linalg.norm(places[0].mean(axis=0) - places[1].mean(axis=0)) > within


def test_the_same_seed_gives_the_same_bytes(record):
    readers = {"m": made_up.MadeUp(), "t": made_up.Static()}
    sets = [made_up.made_up(240), read_pairs("pairs", test_pairs.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        again = whole.study(SETTINGS, SILENT)
    assert again.tables == record.tables
    assert again.findings == record.findings


def test_words_that_no_other_document_shows_are_refused(monkeypatch):
    monkeypatch.setattr(whole, "reader", lambda *_: made_up.MadeUp())
    monkeypatch.setattr(whole, "read_sets", lambda _: [made_up.made_up(60, documents=1)])
    with pytest.raises(BadInput, match="no tested word has two senses"):
        whole.study(SensesSettings(draws=100), SILENT)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"draws": 5}, "--draws 5 is too few"),
        ({"pooling": "max"}, "no pooling 'max'"),
        ({"models": ()}, "no model"),
        ({"models": ("a", "a")}, "same model"),
        ({"data": ("wic", "wic")}, "same data"),
        ({"shown": 2}, "--shown 2"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, said):
    with pytest.raises(BadInput, match=said):
        SensesSettings(**changes)


def test_where_leaving_out_makes_frequency_worse_than_a_lot_models_are_held_against_the_lot(monkeypatch):
    cues = {"money": ("coin", "loan"), "river": ("water", "shore")}
    rows = [
        Given((cue, "bank"), f"{sense}{cue}{number}", (Target(1, 2, "bank", sense, sense),))
        for sense, some in cues.items()
        for cue in some
        for number in range(15)
    ]
    even = tagged("even", made_up.SOURCE, rows)
    monkeypatch.setattr(whole, "reader", lambda *_: made_up.MadeUp())
    monkeypatch.setattr(whole, "read_sets", lambda _: [even])
    found = whole.study(SensesSettings(models=("m",), draws=100), SILENT)
    best = found.finding("verdict").numbers["tagged"][0]
    assert found.verdict.startswith(f"made-up model: {100 * best['score'] - 50:.1f} points above chance.")
    assert "a sense by lot for 50.0 %" in found.verdict
    assert "is right for 0.0 %, less than a sense by lot (50.0 %)" in found.finding("warning.frequent.even").text


def test_frequency_that_beats_a_lot_is_what_models_are_held_against(record):
    assert not any(one.name.startswith("warning.frequent") for one in record.findings)
