from dataclasses import replace

import numpy as np
import pytest
from tests.studies.senses import made_up, test_wic

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.senses import study as whole
from wordworth.studies.senses import verdict
from wordworth.studies.senses.sense_dataset import TaggedSentence, Target, build_dataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.wic import read_pairs

SETTINGS = SensesSettings(models=("m", "t"), draws=100, pool=60, shown=12)


@pytest.fixture(scope="module")
def record():
    readers = {"m": made_up.MadeUp(), "t": made_up.Static()}
    sets = [made_up.made_up(240), read_pairs("pairs", test_wic.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "open_reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        yield whole.study(SETTINGS, SILENT)


def test_the_record_answers_and_says_how_sure_it_is(record):
    best = record.finding("verdict").numbers["tagged"][0]
    points = f"{100 * best['gap']:.1f} points"
    assert record.verdict.startswith(f"Above frequency on made-up: made-up model by {points}; not made-up table.")
    assert "95 % interval" in record.verdict
    assert record.finding("verdict").numbers["pairs"][0]["model"] == "made-up model"


def test_every_model_is_named_on_every_set_a_line_each(record):
    headline, tagged_words, pairs = record.verdict.splitlines()
    assert headline.endswith("; not made-up table.")
    for line, data in ((tagged_words, "made-up"), (pairs, "pairs")):
        assert line.startswith(f"On {data}")
        assert "made-up model for" in line
        assert "made-up table for" in line


def test_one_model_on_one_set_is_answered_in_short(monkeypatch):
    monkeypatch.setattr(whole, "open_reader", lambda *_: made_up.Static())
    monkeypatch.setattr(whole, "read_sets", lambda _: [made_up.made_up(240)])
    found = whole.study(SensesSettings(models=("t",), draws=100), SILENT)
    assert found.verdict.startswith("Not above frequency.\nOn made-up the most frequent sense is right for")


def test_the_layers_behind_the_chosen_figure_are_on_record(record):
    chosen = [row for row in record.tables["scores"].rows() if row["layer"] == -1 and row["of"] == "ambiguous"]
    assert {row["model"]: row["layers"] for row in chosen} == {"made-up model": [1], "made-up table": [0]}


def test_who_teaches_is_on_record(record):
    assert {row["data"]: row["teachers"] for row in record.tables["sets"].rows()} == {
        "made-up": "documents", "pairs": "part",
    }  # fmt: skip
    apart = [one._replace(document=f"{number:04d}") for number, one in enumerate(made_up.given(90))]
    split = [one._replace(in_train=number % 2 == 0, tested=number % 2 == 1) for number, one in enumerate(apart)]
    assert whole.training_source(build_dataset("apart", made_up.SOURCE, apart)) == "sentences"
    assert whole.training_source(build_dataset("split", made_up.SOURCE, split)) == "part"


def test_a_set_of_which_a_part_was_read_is_warned_of():
    part = build_dataset("some", replace(made_up.SOURCE, rows=300), made_up.given(90))
    (warned,) = verdict.warnings({"scores": []}, [part])
    assert "some: 90 of 300 sentences were drawn (--limit), with 90 training examples." in warned.text
    assert not list(verdict.warnings({"scores": []}, [build_dataset("all", made_up.SOURCE, made_up.given(90))]))


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
    sets = [made_up.made_up(240), read_pairs("pairs", test_wic.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "open_reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        again = whole.study(SETTINGS, SILENT)
    assert again.tables == record.tables
    assert again.findings == record.findings


def test_words_that_no_other_document_shows_are_refused(monkeypatch):
    monkeypatch.setattr(whole, "open_reader", lambda *_: made_up.MadeUp())
    monkeypatch.setattr(whole, "read_sets", lambda _: [made_up.made_up(60, documents=1)])
    with pytest.raises(BadInput, match="no tested word has two senses"):
        whole.study(SensesSettings(draws=100), SILENT)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"draws": 5}, "--draws 5 is out of range"),
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
        TaggedSentence((cue, "bank"), f"{sense}{cue}{number}", (Target(1, 2, "bank", sense, sense),))
        for sense, some in cues.items()
        for cue in some
        for number in range(15)
    ]
    even = build_dataset("even", made_up.SOURCE, rows)
    readers = {"m": made_up.MadeUp(), "static": made_up.Static()}
    monkeypatch.setattr(whole, "open_reader", lambda name, *_: readers[name])
    monkeypatch.setattr(whole, "read_sets", lambda _: [even])
    found = whole.study(SensesSettings(models=("m",), draws=100), SILENT)
    best = found.finding("verdict").numbers["tagged"][0]
    assert found.verdict.startswith(f"made-up model: {100 * best['score'] - 50:.1f} points above chance.")
    assert "a random sense is right for 50.0 % of the words with several senses" in found.verdict
    assert "is right for 0.0 %, less than a random sense (50.0 %)" in found.finding("warning.frequent.even").text

    static = whole.study(SensesSettings(models=("static",), draws=100), SILENT)
    (row,) = static.finding("verdict").numbers["tagged"]
    assert (row["score"], row["low"], row["high"], row["tied"]) == (0.5, 0.5, 0.5, 1.0)
    assert static.verdict.startswith("Not above chance.")
    told = "made-up table for 50.0 % (50.0 to 50.0 %; all centroids are equally near, so it answers a random sense)"
    assert told in static.verdict


def test_frequency_that_beats_a_lot_is_what_models_are_held_against(record):
    assert not any(one.name.startswith("warning.frequent") for one in record.findings)
