"""Conditions under which the verdict is asked again, and what they say."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeLearner, FakeRung, constant
from tests.studies.worth.made_up import (
    CHOSEN,
    TFIDF,
    ShortSighted,
    study,
    task,
)

from wordworth.reports.captions import with_captions
from wordworth.tasks.examples import Examples


def test_the_verdict_is_asked_again_at_twice_the_labels():
    """The cheap rung gains as fast as ever while the contextual one stands still: they are about to cross."""
    rising = FakeRung("tfidf", "counts", lambda n: min(0.97, 0.3 + 0.08 * math.log2(n / 12)))
    record = study(rising, FakeRung("minilm", "frozen", constant(0.92)), rows=3_000)
    more_labels = record.finding("condition.more_labels")
    assert record.finding("verdict").numbers["answer"] == "contextual is worth it"
    assert (more_labels.numbers["labels"], more_labels.numbers["extrapolated"]) == (3_000, True)
    assert more_labels.numbers["answer"] != "contextual is worth it"
    assert more_labels.numbers["changes"]
    assert more_labels.numbers["answer"] in more_labels.text


def test_where_nothing_moves_twice_the_labels_leave_the_verdict_as_it_is():
    record = study(replace(TFIDF, accuracy=constant(0.6)), FakeRung("minilm", "frozen", constant(0.95)))
    more_labels = record.finding("condition.more_labels")
    assert (more_labels.numbers["answer"], more_labels.numbers["rung"]) == ("contextual is worth it", "minilm")
    assert not more_labels.numbers["changes"]
    assert "the verdict stays" in more_labels.text


def test_a_rung_without_a_curve_is_named_and_left_out_at_twice_the_labels():
    record = study(
        replace(TFIDF, accuracy=constant(0.95)),
        FakeRung("minilm", "frozen", constant(0.6)),
        FakeRung("tuned", "finetuned", constant(0.6)),
    )
    more_labels = record.finding("condition.more_labels")
    assert more_labels.numbers["without"] == ["Tuned"]
    assert "Without Tuned, measured at too few numbers of labels" in more_labels.text


def test_conditions_and_reasons_name_rungs_by_their_titles():
    @dataclass(frozen=True)
    class Titled(FakeRung):
        @property
        def title(self):
            return {"tfidf": "Counts of words", "minilm": "Small encoder (frozen)", "slow": "Slow one"}[self.name]

    record = study(
        Titled("tfidf", "counts", constant(0.7)),
        Titled("minilm", "frozen", constant(0.95)),
        Titled("slow", "finetuned", constant(0.5)),
        chosen=replace(CHOSEN, margin=0.1),
    )
    told = [found.text for found in record.findings if found.name.startswith(("condition", "dropped"))]
    assert any("points behind Small encoder (frozen)" in text for text in told)
    assert not any(f" {name}" in text or f"({name}" in text for text in told for name in ("tfidf", "minilm", "slow"))


def test_a_rung_whose_curve_does_not_rise_is_said_to_gain_nothing_by_more_labels():
    wavering = FakeRung("tfidf", "counts", lambda n: 0.9 if n < 50 else 0.6)
    found = study(wavering).finding("condition.more_labels")
    assert abs(found.numbers["gain"]) < 0.02
    assert found.numbers["low"] < 0 < found.numbers["high"]


def test_without_a_contextual_rung_conditions_tell_who_leads_and_the_rule_of_the_verdict_is_not_told():
    record = study(TFIDF, FakeRung("glove", "static", constant(0.95)))
    told = {found.name: found.text for found in record.findings}
    assert told["condition.metric.macro_f1"] == "Judged by macro F1, Glove still leads."
    assert told["condition.more_labels"].endswith("By all such curves, Glove still leads then.")
    assert "condition.windows" not in told
    assert "contextual" not in told["method.rule"]


def test_with_a_contextual_rung_the_window_is_among_the_conditions():
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)))
    assert record.finding("condition.windows").text == "No test text is longer than an encoder's window."


def test_where_fine_tuning_cut_texts_it_is_not_said_that_all_were_read_whole():
    tuned = ShortSighted("minilm-finetuned", "finetuned", constant(0.8))
    text = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)), tuned).finding("condition.windows").text
    assert text.startswith("No test text is longer than the frozen encoder's window (a trained one read less")
    assert "condition.windows" not in {found.name for found in study(TFIDF, tuned).findings}


@pytest.mark.parametrize("folded", [False, True])
def test_where_texts_repeat_but_never_across_folds_it_is_said_why(folded):
    texts = tuple(f"text {number % 30} of its own words {number % 30}" for number in range(60))
    of_texts = np.arange(60) % 30
    folds = tuple(np.flatnonzero(of_texts % 3 == fold) for fold in range(3))
    every, made = np.arange(60), task(60)
    parts = {"train": every, "test": every, "folds": folds} if folded else {"train": folds[0], "test": folds[1]}
    record = study(TFIDF, about=replace(made, examples=Examples(texts), **parts))
    text = record.finding("condition.twins").text
    assert text.startswith("No test text has a near-duplicate")
    assert ("(equal texts are in the same fold)" in text) == folded


def test_the_predicted_score_is_the_same_on_the_chart_in_its_note_and_among_the_conditions():
    record = with_captions(study(replace(TFIDF, accuracy=lambda n: 0.5 + 0.05 * math.log2(n / 12)), rows=3_000))
    more_labels = record.finding("condition.more_labels")
    drawn = [row for row in record.tables["curve"].rows() if row["rung"] == "tfidf" and row["extrapolated"]]
    now = next(row for row in record.tables["ladder"].rows() if row["rung"] == "tfidf")["score"]
    assert more_labels.numbers["score"] == pytest.approx(drawn[0]["score"])
    assert more_labels.numbers["score"] - more_labels.numbers["gain"] == pytest.approx(now)
    written = f"{100 * drawn[0]['score']:.1f} ("
    assert f"would score about {written}" in more_labels.text
    assert any(f"would score about {written}" in note for note in record.finding("caption.curves").numbers["notes"])


def test_the_rung_that_gains_and_the_rung_that_is_then_named_have_keys_of_their_own():
    rising = FakeRung("tfidf", "counts", lambda n: min(0.97, 0.3 + 0.08 * math.log2(n / 12)))
    record = study(rising, FakeRung("minilm", "frozen", constant(0.92)), rows=3_000)
    numbers = record.finding("condition.more_labels").numbers
    assert numbers["rung"] == record.finding("verdict").numbers["rung"] == "minilm"
    assert numbers["named"] == "tfidf"


@dataclass(frozen=True)
class ReadsShortTexts(FakeRung):
    """A frozen encoder whose window is shorter than one text of the test part."""

    longest: int = 0

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return ReadsShortTextsLearner(self, task)


class ReadsShortTextsLearner(FakeLearner):
    def exceeds_window(self, examples):
        return np.arange(len(examples)) == self.rung.longest


def test_a_single_long_text_is_said_to_be_one():
    encoder = ReadsShortTexts("minilm", "frozen", constant(0.85), longest=int(task(600).test[0]))
    assert study(TFIDF, encoder).finding("condition.windows").text == (
        "On the 1 test text longer than the encoder's window: too few to judge separately."
    )
