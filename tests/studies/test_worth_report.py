"""The record of a study of made-up rungs: it stands whatever fails, and says what its numbers say."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant, task

from wordworth.records import Record
from wordworth.reports import render
from wordworth.representations.distilled import DistilledRung
from wordworth.representations.rung import RunContext
from wordworth.studies.worth import costs
from wordworth.studies.worth.costs import costs_table
from wordworth.studies.worth.difficulty_units import measures
from wordworth.studies.worth.fit_rungs import open_rungs
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.record import make_record, method
from wordworth.studies.worth.run_ladder import run_ladder
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.studies.worth.study_result import StudyResult

CHOSEN = WorthSettings(seeds=3, draws=100)


@pytest.fixture(autouse=True)
def _brief_timing(monkeypatch):
    monkeypatch.setattr(costs, "_SECONDS", 1e-9)


@dataclass(frozen=True)
class Unlucky(FakeRung):
    """Fails with the rows that `when` tells."""

    when: Callable[[np.ndarray], bool] = lambda _: True

    def open(self, task, run_context):  # noqa: ARG002 - a Rung
        return UnluckyLearner(self, task)


class UnluckyLearner(FakeLearner):
    def fit(self, rows, rng):
        return FakeLearner(replace(self.rung, fails=self.rung.when(rows)), self.task).fit(rows, rng)


@dataclass(frozen=True)
class ShortSighted(FakeRung):
    """Reads at most 8 tokens of a text, which every so many texts exceed."""

    every: int = 4

    def open(self, task, run_context):  # noqa: ARG002 - a Rung
        return ShortSightedLearner(self, task)


class ShortSightedLearner(FakeLearner):
    max_tokens = 8

    def num_truncated(self, rows):
        return int((rows % self.rung.every == self.rung.every - 1).sum())


def study(*rungs: FakeRung, rows: int = 600, chosen: WorthSettings = CHOSEN, floor: FakeRung = MAJORITY) -> Record:
    """The record of a study of these rungs on a made-up task."""
    made, run_context = task(rows), RunContext(threads=1)
    entries, layout = open_rungs([floor, *rungs], made, run_context, ()), label_grid(made, chosen)
    scores = run_ladder(entries, made, layout, chosen, run_context)
    costs = costs_table(entries, made, chosen.hourly_price, run_context)
    result = StudyResult(made, layout, entries, scores, chosen.margin, costs)
    return make_record(result, ReadSettings(), chosen)


def at_top(*seeds: int, rows: int = 600) -> Callable[[np.ndarray], bool]:
    """Whether some rows are one of these draws of all labels."""
    layout = label_grid(task(rows), CHOSEN)
    firsts = {int(layout.subsets[seed][0]) for seed in seeds}
    return lambda drawn: len(drawn) == layout.top and int(drawn[0]) in firsts


TFIDF = FakeRung("tfidf", "counts", constant(0.75))


@pytest.mark.parametrize("family", ["static", "frozen", "finetuned"])
@pytest.mark.parametrize("seeds", [(0,), (1,), (0, 1, 2)], ids=str)
def test_a_study_whose_runs_on_all_labels_fail_still_becomes_a_record_and_a_page(family, seeds):
    unlucky = Unlucky("unlucky", family, constant(0.9), when=at_top(*seeds))
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)), unlucky)
    assert {row["rung"] for row in record.tables["slices"].rows()} >= {"tfidf"}
    assert "it did not converge" in render(record)


def test_a_failed_run_stays_beside_the_runs_of_its_own_draw():
    """Of two rungs that say the same in every run, one that fails once differs in that draw alone."""
    made, chosen = task(600), CHOSEN
    shared = {"accuracy": constant(0.8), "family": "frozen"}
    whole = study(replace(TFIDF, accuracy=constant(0.8)), FakeRung("minilm", **shared))
    broken = study(replace(TFIDF, accuracy=constant(0.8)), Unlucky("minilm", **shared, when=at_top(1)))
    layout, gold = label_grid(made, chosen), made.gold(made.test)
    assert layout.top == 300
    for record in (whole, broken):
        row = next(row for row in record.tables["slices"].rows() if row["measure"] == "ambiguity")
        gap = next(row for row in record.tables["gaps"].rows() if row["labels"] == 300 and row["rung"] == "tfidf")
        halves = (row["easy_n"] * row["easy_gap"] + row["hard_n"] * row["hard_gap"]) / len(gold)
        assert halves == pytest.approx(-gap["gap"])


def test_halves_of_a_handful_of_texts_are_not_compared(monkeypatch):
    monkeypatch.setattr("wordworth.studies.worth.slices.LEAST", 10_000)
    rows = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85))).tables["slices"].rows()
    assert {row["difference"] for row in rows} == {None}
    assert max(row["hard_n"] for row in rows) > 0


def test_rungs_that_differ_by_chance_alone_do_not_win_the_harder_texts():
    rows = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85))).tables["slices"].rows()
    row = next(row for row in rows if row["measure"] == "ambiguity")
    assert row["rank_low"] < 0.5 < row["rank_high"]
    assert row["rank_beyond_low"] < 0.5 < row["rank_beyond_high"]


def test_costs_are_measured_on_the_first_run_that_did_not_fail():
    record = study(TFIDF, Unlucky("minilm", "frozen", constant(0.99), when=at_top(0)))
    assert record.finding("verdict").numbers["rung"] == "minilm"
    assert "minilm" in record.timings["costs"]["columns"]["rung"]
    assert {row[-1] for row in record.timings["decision"]["rung"]} == {"minilm"}


def test_a_rung_without_any_run_on_all_labels_is_not_timed():
    record = study(TFIDF, Unlucky("minilm", "frozen", constant(0.99), when=at_top(0, 1, 2)))
    assert "minilm" not in record.timings["costs"]["columns"]["rung"]


def test_a_rung_that_cuts_long_texts_says_how_many_of_how_many_it_cut():
    made = task(600)
    record = study(TFIDF, ShortSighted("minilm-finetuned", "finetuned", constant(0.8)))
    found = record.finding("warning.cut.minilm-finetuned")
    cut, tested = int((np.arange(600) % 4 == 3).sum()), int((made.test % 4 == 3).sum())
    assert (found.numbers["cut"], found.numbers["cut_test"], found.numbers["most_tokens"]) == (cut, tested, 8)
    assert f"of {cut} of the 600 texts ({tested} of the 300 test texts)" in found.text
    assert found in record.warnings
    assert found.text in render(record)


def test_a_rung_that_could_cut_texts_but_met_no_long_one_is_not_warned_of():
    shown = study(TFIDF, ShortSighted("minilm-finetuned", "finetuned", constant(0.8), every=601))
    assert not [found for found in shown.findings if found.name.startswith("warning.cut")]


def test_the_verdict_is_asked_again_at_twice_the_labels():
    """The cheap rung gains as fast as ever while the contextual one stands still: they are about to cross."""
    rising = FakeRung("tfidf", "counts", lambda n: min(0.97, 0.51 + 0.05 * math.log2(n / 12)))
    record = study(rising, FakeRung("minilm", "frozen", constant(0.90)), rows=3_000)
    found = record.finding("condition.more_labels")
    assert record.finding("verdict").numbers["answer"] == "contextual is worth it"
    assert (found.numbers["labels"], found.numbers["extrapolated"]) == (3_000, True)
    assert found.numbers["answer"] != "contextual is worth it"
    assert found.numbers["changes"]
    assert found.numbers["answer"] in found.text


def test_where_nothing_moves_twice_the_labels_leave_the_verdict_as_it_is():
    record = study(replace(TFIDF, accuracy=constant(0.6)), FakeRung("minilm", "frozen", constant(0.95)))
    found = record.finding("condition.more_labels")
    assert (found.numbers["answer"], found.numbers["rung"]) == ("contextual is worth it", "minilm")
    assert not found.numbers["changes"]
    assert "the verdict stays" in found.text


def test_a_rung_without_a_curve_is_named_and_left_out_at_twice_the_labels():
    record = study(
        replace(TFIDF, accuracy=constant(0.95)),
        FakeRung("minilm", "frozen", constant(0.6)),
        FakeRung("tuned", "finetuned", constant(0.6)),
    )
    found = record.finding("condition.more_labels")
    assert found.numbers["without"] == ["Tuned"]
    assert "Without Tuned, measured at too few numbers of labels" in found.text


def test_conditions_and_reasons_name_rungs_by_their_titles():
    @dataclass(frozen=True)
    class Titled(FakeRung):
        @property
        def title(self):
            return {"tfidf": "Counts of words", "minilm": "Small encoder, frozen", "slow": "Slow one"}[self.name]

    record = study(
        Titled("tfidf", "counts", constant(0.7)),
        Titled("minilm", "frozen", constant(0.95)),
        Titled("slow", "finetuned", constant(0.5)),
        chosen=replace(CHOSEN, epsilon=0.1),
    )
    told = [found.text for found in record.findings if found.name.startswith(("condition", "dropped"))]
    assert any("points behind Small encoder (frozen)" in text for text in told)
    assert not any(f" {name}" in text or f"({name}" in text for text in told for name in ("tfidf", "minilm", "slow"))


def test_break_even_stands_beside_the_costs_in_record_and_page():
    record = study(
        FakeRung("tfidf", "counts", lambda n: 1 - 1.6 * n**-0.3),
        FakeRung("minilm", "frozen", lambda n: 1 - 0.9 * n**-0.3),
        rows=8_000,
    )
    found = record.timings["break_even"]
    assert (found["rung"], found["against"], found["state"]) == ("tfidf", "minilm", "exact")
    assert "To reach what Minilm scores with" in render(record)


def test_a_cheap_rung_whose_curve_has_flattened_out_below_is_said_never_to_reach_the_other():
    record = study(
        FakeRung("tfidf", "counts", lambda n: 0.75 - 1.2 * n**-0.6),
        FakeRung("minilm", "frozen", lambda n: 0.97 - 0.5 * n**-0.5),
        rows=6_000,
    )
    row = next(row for row in record.tables["ladder"].rows() if row["rung"] == "tfidf")
    assert (row["multiple"], row["multiple_state"]) == (math.inf, "never")
    assert "Tfidf never reaches what Minilm scores" in render(record)


def test_of_a_curve_that_still_rises_it_is_only_said_how_far_it_was_seen():
    record = study(
        FakeRung("tfidf", "counts", lambda n: 0.4 + 0.03 * math.log2(n)),
        FakeRung("minilm", "frozen", constant(0.97)),
        rows=2_000,
    )
    states = {row["state"] for row in record.tables["multiples"].rows() if row["direction"] == "needed"}
    assert states == {"more than"}


def test_a_word_seen_anywhere_in_the_training_part_is_not_unseen():
    made = task(600)
    texts = [f"only{row}" for row in range(600)]
    texts[made.test[0]] = texts[made.train[-1]]
    values = measures(replace(made, examples=replace(made.examples, first=tuple(texts))))["unseen"].values
    assert (values[0], set(values[1:])) == (0.0, {1.0})


class MadeOnce(DistilledRung):
    """A table that needs no encoder."""

    def open(self, task, run_context):  # noqa: ARG002 - a Rung
        return FakeLearner(FakeRung(self.name, "static", constant(0.8)), task)


def test_the_method_says_that_a_distilled_table_has_read_more_texts_than_it_has_labels():
    told = {found.name: found.text for found in study(TFIDF, MadeOnce("minilm")).findings}
    assert "whole training part" in told["method.tables"]
    assert "none of its labels: where a rung learns from 18 labels" in told["method.tables"]
    assert "method.tables" not in {found.name for found in study(TFIDF).findings}


def test_a_constant_is_foretold_to_stay_where_it_is():
    """A small subset now and then misjudges the most frequent class: that is no curve to extend."""
    jumping = FakeRung("majority", "constant", lambda n: 0.2 if n < 150 else 0.5)
    rows = [row for row in study(TFIDF, floor=jumping).tables["curve"].rows() if row["rung"] == "majority"]
    last, *ahead = [row for row in rows if row["labels"] >= 300]
    assert [row["extrapolated"] for row in ahead] == [True, True]
    assert {round(row["score"] - last["score"], 2) for row in ahead} <= {-0.01, 0.0, 0.01}
    assert all(row["high"] - row["low"] < 1.2 * (last["high"] - last["low"]) for row in ahead)


def test_of_a_last_score_carried_on_it_is_not_said_that_a_curve_was_fitted():
    wavering = FakeRung("tfidf", "counts", lambda n: 0.9 if n < 50 else 0.6)
    found = study(wavering).finding("condition.more_labels")
    assert found.numbers["family"] == "last1"
    assert "its last score carried on" in found.text
    assert "fitted to the smaller sizes, not measured" not in found.text


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


def test_the_verdict_names_the_class_that_a_constant_answer_gives():
    same = FakeRung("tfidf", "counts", constant(0.5))
    assert study(same).finding("verdict").text.startswith("No rung is surely better than always saying “class ")


def test_a_rung_that_scores_less_than_a_constant_answer_is_told_before_one_trusts_it():
    record = study(FakeRung("tfidf", "counts", constant(0.3)), FakeRung("glove", "static", constant(0.8)))
    (told,) = [warning for warning in record.warnings if warning.name == "warning.below_guessing"]
    assert told.numbers["rungs"] == ["tfidf"]
    assert " scores less than always saying “class " in told.text
    assert not any(warning.name == "warning.below_guessing" for warning in study(TFIDF).warnings)


def test_where_fine_tuning_cut_texts_it_is_not_said_that_all_were_read_whole():
    tuned = ShortSighted("minilm-finetuned", "finetuned", constant(0.8))
    said = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)), tuned).finding("condition.windows").text
    assert said.startswith("No test text is longer than the frozen encoder's window (a fine-tuned one read less")
    assert "condition.windows" not in {found.name for found in study(TFIDF, tuned).findings}


@pytest.mark.parametrize(
    ("tagging", "quick", "told"),
    [(True, True, "labels, 2 draws of each (3 of all labels)"), (False, True, "labels, 5 draws of each;")],
)
def test_the_method_tells_the_number_of_draws_that_there_were(tagging, quick, told):
    layout = LabelGrid((50, 100), tuple(np.arange(100) for _ in range(5)), quick, tagging)
    found = method(StudyResult(task(40), layout, [], Scores({}, Bootstrap(10, 0)), 0.01))
    assert told in found[0].text
    assert not any("two draws" in finding.text for finding in found)


def test_multiples_and_break_even_are_of_the_rung_that_the_verdict_names():
    frozen, tuned = (FakeRung(name, family, constant(score)) for name, family, score in (
        ("minilm", "frozen", 0.75), ("tuned", "finetuned", 0.95),
    ))  # fmt: skip
    record = study(TFIDF, frozen, tuned, rows=1_600)
    assert record.finding("verdict").numbers["rung"] == "tuned"
    ladder = {row["rung"]: row for row in record.tables["ladder"].rows()}
    assert ladder["tfidf"]["multiple_against"] == "tuned"
    assert record.timings["break_even"]["against"] == "tuned"
    assert "to score what Tuned scores with" in render(record)
