"""What the study answers, and how sure it is."""

from dataclasses import replace

import pytest
from tests.studies.senses import made_up, test_wic

from wordworth.progress import SILENT
from wordworth.studies.senses import findings, scores
from wordworth.studies.senses import study as whole
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


def test_a_set_of_which_a_part_was_read_is_warned_of():
    part = build_dataset("some", replace(made_up.SOURCE, rows=300), made_up.made_up_sentences(90))
    (warned,) = findings.warnings({"scores": []}, [part])
    assert "some: 90 of 300 sentences were drawn (the option limit), with 90 training examples." in warned.text
    assert not list(
        findings.warnings({"scores": []}, [build_dataset("all", made_up.SOURCE, made_up.made_up_sentences(90))])
    )


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
    warned = found.finding("warning.frequent.even").text
    assert "is right for 0.0 %, less than a random sense (50.0 %)" in warned
    assert "leaving out the tested occurrence" in warned

    static = whole.study(SensesSettings(models=("static",), draws=100), SILENT)
    (row,) = static.finding("verdict").numbers["tagged"]
    assert (row["score"], row["low"], row["high"], row["tied"]) == (0.5, 0.5, 0.5, 1.0)
    assert static.verdict.startswith("Not above chance.")
    told = "made-up table for 50.0 % (50.0 to 50.0 %; all centroids are equally near, so it answers a random sense)"
    assert told in static.verdict


def test_nothing_is_said_to_be_left_out_of_a_set_that_has_its_own_test_part():
    rows = [
        TaggedSentence(("bank",), f"{n}", (Target(0, 1, "bank", "ab"[n % 2], "ab"[n % 2]),), n < 20, n >= 20)
        for n in range(40)
    ]
    apart = build_dataset("apart", made_up.SOURCE, rows)
    key = {"data": "apart", "of": scores.AMBIGUOUS, "words": 20}
    table = [{"system": scores.FREQUENT, "score": 0.4, **key}, {"system": scores.CHANCE, "score": 0.5, **key}]
    (warned,) = (one for one in findings.warnings({"scores": table}, [apart]) if "frequent" in one.name)
    assert warned.text.endswith("less than a random sense (50.0 %), so it is too low a baseline.")


def test_frequency_that_beats_a_lot_is_what_models_are_held_against(record):
    assert not any(one.name.startswith("warning.frequent") for one in record.findings)
