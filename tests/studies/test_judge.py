"""The rule of the verdict, on scores whose doubt is given."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant, task

from wordworth.measures.bootstrap import Interval
from wordworth.records import Finding, Table
from wordworth.studies.worth.decision_map import candidates
from wordworth.studies.worth.decision_rule import judge, labels_needed
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.learning_curves import MULTIPLES, best_multiple
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.scores import Bootstrap, RunScores, Scores
from wordworth.studies.worth.study_result import StudyResult
from wordworth.studies.worth.verdict import VerdictWriter, constant_answer, multiple_text, rows_available

LABELS = 100
FAMILIES = {
    "majority": "constant",
    "tfidf": "counts",
    "glove": "static",
    "minilm": "frozen",
    "distilled": "static",
    "both": "hybrid",
    "tuned": "finetuned",
}


def scores(runs=5, assumed=None, **rungs):
    """Scores whose items move each rung on its own: mean and half the width of its 95 % interval, in points."""
    noise = np.random.default_rng(0)
    table = {}
    for name, (mean, half) in rungs.items():
        moved = noise.normal(mean, half / 1.96, 4_000) / 100
        point = np.full(runs, mean / 100)
        table[name, LABELS] = RunScores(point, np.tile(moved, (runs, 1)))
    return Scores(table, Bootstrap(4_000, 0), assumed or {})


def judged(found, margin=0.01):
    return judge(found, [FakeRung(name, FAMILIES[name], constant(0)) for name, _ in found.table], LABELS, margin)


class Named(FakeRung):
    """A rung whose title is its name."""

    @property
    def title(self):
        return self.name


def sentence(found, grid=None):
    rungs = [RungResult(Named(name, FAMILIES[name], constant(0.5))) for name, _ in found.table]
    study = StudyResult(task(200), grid or LabelGrid((LABELS,), ()), rungs, found, 0.01)
    return VerdictWriter(study).finding()


def test_a_vague_contextual_rung_does_not_hide_that_another_is_surely_ahead():
    found = scores(tfidf=(80, 0.5), minilm=(84, 0.5), tuned=(82, 9))
    assert judged(found).answer == "contextual is worth it"
    assert judged(found).rung == "minilm"


def test_the_rung_named_is_surely_ahead_even_if_a_vague_one_scores_best():
    found = scores(tfidf=(80, 0.5), minilm=(84, 0.5), tuned=(85, 9))
    finding = sentence(found)
    assert finding.numbers["rung"] == "minilm"
    assert finding.numbers["low"] > 0


def test_the_cheapest_of_those_surely_ahead_is_named_where_it_is_within_the_margin():
    assert judged(scores(tfidf=(80, 0.3), minilm=(85, 0.3), both=(85.2, 0.3))).rung == "minilm"
    assert judged(scores(tfidf=(80, 0.3), minilm=(85, 0.3), both=(88, 0.3))).rung == "both"


def test_the_decision_map_chooses_among_rungs_that_are_surely_ahead_as_the_verdict_does():
    """MiniLM is within the margin of all, but not surely ahead of TF-IDF."""
    found = judged(scores(tfidf=(80, 0.3), minilm=(80.6, 0.6), both=(80.9, 0.05)))
    assert (found.answer, found.rung) == ("contextual is worth it", "both")
    assert found.of("minilm").adequate
    assert candidates(found) == ["both"]


def test_what_is_still_open_is_told_of_the_rung_that_is_open():
    """GloVe may be as good as MiniLM, though TF-IDF, surely behind, scores higher."""
    found = scores(tfidf=(82, 0.3), glove=(81.5, 6), minilm=(84, 0.3))
    assert judged(found).answer == "cannot tell yet"
    finding = sentence(found)
    assert "glove is 2.5 points behind minilm" in finding.text
    assert finding.numbers["low"] < -0.01 < 0 < finding.numbers["high"]
    assert labels_needed(judged(found), 200) > 200


def test_many_contextual_rungs_must_each_be_further_ahead_than_one():
    """Just surely ahead at 95 %: enough for one contextual rung; three were three chances of an error."""
    assert judged(scores(tfidf=(80, 0.01), minilm=(82, 1.95))).answer == "contextual is worth it"
    three = scores(tfidf=(80, 0.01), minilm=(82, 1.95), both=(80, 1.95), tuned=(80, 1.95))
    assert judged(three).answer == "cannot tell yet"
    assert "neither surely behind a contextual rung" in sentence(three).text
    assert labels_needed(judged(three), 200) > 200


def test_a_cheap_rung_suffices_wherever_it_stands_on_the_ladder():
    """Vectors that a user brings stand before the encoder's static table."""
    found = judged(scores(tfidf=(70, 0.3), minilm=(84, 0.3), distilled=(84, 0.3), both=(84, 0.3)))
    assert (found.answer, found.rung) == ("cheap suffices", "distilled")


def test_a_curve_that_ends_below_is_said_never_to_reach_the_other():
    told = multiple_text({"state": "never", "labels": 50, "multiple": 0.0}, "tfidf", "minilm")
    assert told == "By the curve fitted to its scores, tfidf never reaches what minilm scores with 50 labels."


def test_one_run_is_as_doubtful_as_the_luck_that_is_assumed_of_it():
    one = scores(runs=1, tfidf=(80, 0.5), tuned=(82, 0.5))
    assumed = scores(runs=1, assumed={"tuned": 0.02}, tfidf=(80, 0.5), tuned=(82, 0.5))
    assert judged(one).answer == "contextual is worth it"
    assert judged(assumed).answer == "cannot tell yet"
    span = assumed.gap_interval("tfidf", "tuned", LABELS)
    assert span.high - span.low == pytest.approx(2 * np.hypot(1.96 * 0.02, np.hypot(0.005, 0.005)), rel=0.03)


def test_luck_is_assumed_of_a_single_run_alone():
    several = scores(runs=5, assumed={"tuned": 0.5}, tfidf=(80, 0.5), tuned=(82, 0.5))
    assert judged(several).answer == "contextual is worth it"


def test_without_a_contextual_rung_nothing_is_said_of_context():
    finding = sentence(scores(tfidf=(80, 0.5), glove=(70, 0.5)))
    assert finding.numbers["answer"] == "cannot tell yet"
    assert "labels_to_tell" not in finding.numbers
    assert "tfidf leads with 80.0 (95 %: 79.5 to 80.5), 10.0 points ahead of glove (95 %: +9." in finding.text
    assert "surely ahead of every other rung" in finding.text
    assert "name one with --model" in finding.text
    assert (finding.numbers["against"], finding.numbers["gap"]) == ("glove", pytest.approx(0.1))


def test_without_a_contextual_rung_the_verdict_names_the_rungs_that_are_level_with_the_leader():
    finding = sentence(scores(tfidf=(80, 3), glove=(81, 3), distilled=(70, 0.5)))
    assert "glove leads with 81.0 (95 %: " in finding.text
    assert "1.0 point ahead of tfidf (95 %: −" in finding.text
    assert ": the two are level, as neither is surely ahead." in finding.text
    three = sentence(scores(tfidf=(80, 3), glove=(81, 3), distilled=(80.5, 0.5)))
    assert "; tfidf and distilled are level with it: not surely behind." in three.text


@pytest.mark.parametrize(
    ("rungs", "answer", "headline"),
    [
        ({"tfidf": (69, 5), "glove": (66, 5)}, "cannot tell yet", "Cannot tell yet."),
        ({"tfidf": (69, 5), "minilm": (70, 5)}, "cannot tell yet", "Cannot tell yet."),
        ({"tfidf": (67.2, 0.2), "minilm": (67.1, 0.2)}, "cheap suffices", "Nothing beats guessing yet."),
    ],
    ids=["no contextual rung", "cannot tell", "cheap suffices"],
)
def test_where_no_rung_is_surely_above_the_constant_the_verdict_says_so_first(rungs, answer, headline):
    finding = sentence(scores(majority=(67, 0.1), **rungs))
    assert (finding.numbers["answer"], finding.numbers["headline"]) == (answer, headline)
    assert finding.text.startswith("No rung is surely better than always saying “class 1”: the best, ")
    assert finding.numbers["no_better_than"] == "majority"


def test_where_one_rung_is_surely_above_the_constant_nothing_is_said_of_guessing():
    finding = sentence(scores(majority=(67, 0.1), tfidf=(80, 3), glove=(60, 3)))
    assert "always saying" not in finding.text
    assert "no_better_than" not in finding.numbers


@pytest.mark.parametrize(
    ("kind", "words"),
    [("single", "always saying “class 1”"), ("regression", "always saying the mean"), ("tags", "most frequent tag")],
)
def test_what_a_constant_answer_is_depends_on_the_kind_of_task(kind, words):
    made = replace(task(40), kind=kind, labels=np.array([0] * 10 + [1] * 30))
    assert words in constant_answer(made)


def test_a_rung_that_was_raced_out_is_no_rival_however_little_its_few_runs_tell():
    """Behind the best for sure, it says of a third rung no more than the best does, and says it vaguely."""
    found = scores(glove=(84, 0.5), distilled=(60, 90), minilm=(84, 0.5))
    assert judged(found).answer == "cannot tell yet"
    raced = replace(found, dropped=frozenset({"distilled"}))
    assert judged(raced).answer == "cheap suffices"
    assert judged(raced).of("glove").rival == "minilm"
    assert judged(raced).of("distilled").rival in {"glove", "minilm"}


def test_a_gap_of_fewer_runs_than_the_scores_says_so():
    found = scores(tfidf=(72.8, 0.5), tuned=(86.9, 0.5))
    one = found.table["tuned", LABELS]
    fewer = replace(found, table=found.table | {("tuned", LABELS): RunScores(one.point[:1], one.by_draw[:1])})
    assert ", of the 1 run that both had)" in sentence(fewer).text
    assert "that both had" not in sentence(found).text


def test_a_multiple_that_nothing_bounds_is_said_not_to_be_known():
    row = {"state": "exact", "labels": 50, "multiple": 4.2}
    unknown, bounded = (multiple_text(row | {"low": low, "high": np.inf}, "tfidf", "minilm") for low in (0.0, 2.0))
    assert "tfidf needs to score what minilm scores with 50 cannot be estimated" in unknown
    assert "4.2" not in unknown
    assert "4.2 times the labels" in bounded


def test_a_rung_is_level_with_itself_whatever_is_assumed_of_its_luck():
    found = scores(runs=1, assumed={"tuned": 0.01}, tfidf=(80, 1), tuned=(97, 1))
    assert found.gap_interval("tuned", "tuned", LABELS) == Interval(0.0, 0.0)


def test_no_interval_of_a_score_leaves_the_metrics_scale():
    found = replace(scores(runs=1, assumed={"tuned": 0.01}, tuned=(99.5, 1)), ends=(0.0, 1.0))
    assert found.score_interval("tuned", LABELS).high == 1.0


def test_draws_of_few_runs_are_as_wide_as_their_interval():
    rng = np.random.default_rng(0)
    point = np.array([0.70, 0.76])
    table = {("tuned", LABELS): RunScores(point, point[:, None] + rng.normal(0, 0.01, 4_000))}
    found = Scores(table, Bootstrap(4_000, 0))
    span = found.score_interval("tuned", LABELS)
    assert np.quantile(found.score_draws("tuned", LABELS), [0.025, 0.975]) == pytest.approx([span.low, span.high])
    assert span.high - span.low > 0.3  # two runs six points apart tell little


def test_draws_of_one_run_hold_the_luck_that_is_assumed_of_it():
    one, other = (scores(runs=1, assumed=assumed, tuned=(80, 0.2)) for assumed in ({}, {"tuned": 0.02}))
    assert one.score_draws("tuned", LABELS).std() < 0.002
    assert other.score_draws("tuned", LABELS).std() == pytest.approx(0.02, rel=0.05)


def test_where_no_contextual_rung_can_win_it_is_said_before_the_doubt_about_cheap_ones():
    found = scores(tfidf=(84.3, 1.5), glove=(84, 1.5), minilm=(70, 2))
    text = sentence(found).text
    assert judged(found).answer == "cannot tell yet"
    assert text.startswith("minilm is surely behind tfidf; only which cheap rung to keep is open. ")
    assert "which cheap rung" not in sentence(scores(tfidf=(84, 2), minilm=(84.3, 2))).text


def test_a_contextual_rung_that_costs_less_and_may_be_as_good_is_named_beside_the_best():
    text = sentence(scores(tfidf=(80, 0.5), minilm=(84.5, 2), tuned=(85, 2))).text
    assert "; minilm, before it on the ladder, may be as good. " in text
    assert "may be as good" not in sentence(scores(tfidf=(80, 0.5), minilm=(82, 0.2), tuned=(85, 0.2))).text


def test_labels_to_tell_are_never_said_to_be_those_that_did_not_tell():
    text = sentence(scores(tfidf=(70, 1.0), minilm=(71.0, 1.0))).text
    assert "About 200 labelled rows would settle" not in text


def test_a_multiple_that_is_bounded_on_neither_side_gives_way_to_a_bound():
    row = {"rung": "glove", "against": "tuned", "direction": "needed", "multiple": 5.6}
    rows = [
        row | {"labels": 23, "state": "exact", "low": 0.0, "high": math.inf, "censored": 0.5},
        row | {"labels": 187, "multiple": 8.0, "state": "more than", "low": 8.0, "high": math.inf, "censored": 1.0},
    ]
    told = best_multiple(Table.of(rows, MULTIPLES), "glove", "tuned")
    assert (told["labels"], told["state"]) == (187, "more than")


def test_how_many_rows_would_tell_is_set_beside_how_many_the_file_holds():
    limited = replace(task(40), warnings=(Finding("warning.limit", "…", {"file_rows": 4_866}),))
    assert rows_available(task(40), 900, quick=False) == "your file holds 40"
    assert rows_available(limited, 2_000, quick=True) == (
        "40 were used, and your file holds 4,866: leave --quick out or raise --limit"
    )
    assert rows_available(limited, 9_000, quick=False) == (
        "40 were used, and your file holds 4,866: raise --limit, though even all of them may not be enough"
    )
    assert "would settle it; your file holds 200." in sentence(scores(tfidf=(84, 2), minilm=(84.3, 2))).text
