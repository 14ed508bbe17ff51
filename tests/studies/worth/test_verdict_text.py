"""The sentences of the verdict say what its numbers say, and no more."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import (
    FAMILIES,
    LABELS,
    TFIDF,
    Named,
    judged,
    rung_results,
    scores,
    sentence,
    study,
    verdict,
)

from wordworth.sentence_formatting import signed
from wordworth.studies.worth.decision_rule import judge
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.label_multiple_text import multiple_text
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.study_result import StudyResult
from wordworth.studies.worth.verdict_text import VerdictWriter, constant_answer


def test_a_curve_that_ends_below_is_said_never_to_reach_the_other():
    told = multiple_text({"state": "never", "labels": 50, "multiple": 0.0}, "tfidf", "minilm")
    assert told == "By the curve fitted to its scores, tfidf never reaches what minilm scores with 50 labels."


def test_without_a_contextual_rung_nothing_is_said_of_context():
    finding = sentence(scores(tfidf=(80, 0.5), glove=(70, 0.5)))
    assert finding.numbers["answer"] == "cannot tell yet"
    assert finding.numbers["headline"] == "Context was not measured."
    assert "labels_to_tell" not in finding.numbers
    assert "tfidf leads with 80.0 (95 %: 79.5 to 80.5), 10.0 points ahead of glove (95 %: +9." in finding.text
    assert "surely ahead of every other rung" in finding.text
    assert "name one (the option models)" in finding.text
    assert (finding.numbers["against"], finding.numbers["gap"]) == ("glove", pytest.approx(0.1))


def test_without_a_contextual_rung_the_verdict_names_the_rungs_that_are_level_with_the_leader():
    finding = sentence(scores(tfidf=(80, 3), glove=(81, 3), distilled=(70, 0.5)))
    assert "glove leads with 81.0 (95 %: " in finding.text
    assert "1.0 point ahead of tfidf (95 %: −" in finding.text
    assert "): neither is surely ahead." in finding.text
    alike = sentence(scores(tfidf=(80, 3), glove=(80, 3)))
    assert alike.text.count("level") == 1
    three = sentence(scores(tfidf=(80, 3), glove=(81, 3), distilled=(80.5, 0.5)))
    assert "; tfidf and distilled are not surely behind it." in three.text


@pytest.mark.parametrize(
    ("rungs", "answer", "headline"),
    [
        ({"tfidf": (69, 5), "glove": (66, 5)}, "cannot tell yet", "Nothing beats guessing yet."),
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


def test_the_interval_beside_no_surely_better_rung_is_that_of_the_level_that_decided():
    near = scores(majority=(67, 0.1), tfidf=(69, 1.9), glove=(60, 3), distilled=(60, 3), minilm=(60, 3))
    assert near.gap_interval("tfidf", "majority", LABELS).low > 0
    interval = near.gap_interval("tfidf", "majority", LABELS, 0.975)
    assert interval.low <= 0
    says = f"2.0 points ahead of it (97.5 %: {signed(interval.low)} to {signed(interval.high)}, the level for 4 rungs)"
    assert says in sentence(near).text


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


def test_the_gap_of_a_rung_with_fewer_runs_never_opposes_the_scores():
    found = scores(tfidf=(80, 0.5), tuned=(78, 0.5))
    many, one = found.table["tfidf", LABELS], found.table["tuned", LABELS]
    hard_first = RunScores(np.array([0.75, *many.point[1:]]), many.by_draw)  # less than the other's 0.78
    runs = {("tfidf", LABELS): hard_first, ("tuned", LABELS): RunScores(np.array([0.78]), one.by_draw[:1])}
    fewer = replace(found, table=found.table | runs)
    assert fewer.gap("tfidf", "tuned", LABELS) == pytest.approx(0.79 - 0.78)
    assert "run that both had" not in sentence(fewer).text


def test_a_multiple_that_nothing_bounds_is_said_not_to_be_known():
    row = {"state": "exact", "labels": 50, "multiple": 4.2}
    unknown, bounded = (multiple_text(row | {"low": low, "high": np.inf}, "tfidf", "minilm") for low in (0.0, 2.0))
    assert "tfidf needs to score what minilm scores with 50 cannot be estimated" in unknown
    assert "4.2" not in unknown
    assert "4.2 times the labels" in bounded


def test_that_a_cheap_rung_suffices_is_said_apart_from_which_one_to_keep():
    found = scores(tfidf=(84.3, 1.5), glove=(84, 1.5), minilm=(70, 2))
    finding = sentence(found)
    assert (judged(found).answer, judged(found).settled) == ("cheap suffices", False)
    assert (finding.numbers["headline"], finding.numbers["rung"]) == ("A cheap rung suffices.", "tfidf")
    assert "tfidf is 14.3 points ahead of minilm" in finding.text
    assert "Which cheap rung to keep is open: tfidf is the cheapest that may be the best, and glove may be." in (
        finding.text
    )
    assert "which cheap rung" not in sentence(scores(tfidf=(84, 2), minilm=(84.3, 2))).text.lower()


@pytest.mark.parametrize(
    ("behind", "half", "said"),
    [
        (-9.5, 10.2, "between 1.0 point behind minilm and 19.* points ahead of it .95 %; .9.* measured.,"),
        (0.8, 0.19, "between 0.6 and 1.0 point behind minilm .95 %; −0.8 measured.,"),
        (0.3, 0.65, "between 1.0 point behind minilm and 0.4 points ahead of it .95 %; −0.3 measured.,"),
    ],
)
def test_a_corrected_difference_at_its_bound_is_told_as_a_range(behind, half, said):
    text = sentence(scores(tfidf=(80, half), minilm=(80 + behind, 0.01))).text
    assert re.match(f"With 100 labels, tfidf is {said}", text), text


def test_a_contextual_rung_that_costs_less_and_may_be_as_good_is_named_beside_the_best():
    text = sentence(scores(tfidf=(80, 0.5), minilm=(84.5, 2), tuned=(85, 2))).text
    assert text.endswith(" minilm may be as good; tuned is named because it scores highest of those surely ahead.")
    assert "may be as good" not in sentence(scores(tfidf=(80, 0.5), minilm=(82, 0.2), tuned=(85, 0.2))).text


def test_where_neither_of_the_two_compared_has_the_best_score_the_verdict_names_the_rung_that_has_it():
    found = scores(tfidf=(80, 0.5), minilm=(81.0, 4), tuned=(81.4, 1.8))
    finding = sentence(found)
    assert finding.numbers["answer"] == "cannot tell yet"
    assert (finding.numbers["compared"], finding.numbers["against"]) == ("tfidf", "minilm")
    assert finding.numbers["best"] == "tuned"
    assert " The best score is that of tuned, 1.4 points ahead of tfidf (95 %: " in finding.text
    assert "), but minilm decides: it may be further ahead. " in finding.text
    both = sentence(scores(tfidf=(80, 0.5), minilm=(81.0, 4)))
    assert "The best score" not in both.text


def test_a_bound_of_once_the_labels_is_said_in_words_and_a_lead_that_may_be_small_is_said_to_be():
    entries, scores, layout = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", lambda n: 0.5 + n / 8_000),
        FakeRung("minilm", "frozen", lambda n: 0.5 + n / 4_000),
    )
    judgement = verdict(entries, scores, layout, 0.1)
    said = VerdictWriter(StudyResult(task(), layout, entries, scores, 0.1)).finding()
    bound = multiple_text({"labels": layout.top, "multiple": 1.0, "state": "more than"}, "Tfidf", "Minilm")
    assert judgement.answer == "contextual is ahead"
    assert bound == "Tfidf does not reach the score of Minilm with all the labels there are."
    assert "surely ahead of every cheap rung, perhaps by less than 10.0 points. The best of these, " in said.text
    assert said.numbers["headline"] == "Context is ahead."


def test_a_lead_that_surely_exceeds_the_margin_is_said_to_and_is_corrected_for_having_been_picked():
    far, near = (sentence(scores(tfidf=(80, 0.5), minilm=(mean, 0.5))) for mean in (86, 81.9))
    assert "minilm is surely more than 1.0 point ahead of every cheap rung. " in far.text
    assert " The best of these, tfidf, is about 6.0 points (95 %: " in far.text
    assert "; 6.0 measured) behind. " in far.text
    assert far.numbers["corrected"] == pytest.approx(far.numbers["gap"], abs=1e-3)
    assert near.numbers["corrected_low"] <= near.numbers["corrected"] < near.numbers["corrected_high"]


@pytest.mark.parametrize("lead", [0.3, 0.8, 1.5, 2.4, 3.0, 5.0])
def test_a_printed_lead_is_never_larger_than_the_measured_one(lead):
    for half in (0.2, 0.9, 2.0):
        numbers = sentence(scores(tfidf=(80, half), minilm=(80 + lead, half))).numbers
        if numbers["answer"] in {"contextual is worth it", "contextual is ahead"}:
            least = 0.01 if numbers["answer"] == "contextual is worth it" else 0.0
            assert least <= numbers["corrected"] <= max(numbers["gap"], least) + 1e-9
            assert numbers["corrected_low"] <= numbers["corrected"] <= numbers["corrected_high"]


def test_each_further_verdict_of_the_same_labels_must_be_surer():
    found = scores(tfidf=(80, 0.01), minilm=(82, 1.85))
    answers = [
        judge(
            found, [FakeRung(name, FAMILIES[name], constant(0)) for name, _ in found.table], LABELS, 0.01, look=look
        ).answer
        for look in (1, 2)
    ]
    assert answers == ["contextual is ahead", "cannot tell yet"]


def test_the_verdict_names_the_class_that_a_constant_answer_gives():
    same = FakeRung("tfidf", "counts", constant(0.5))
    assert study(same).finding("verdict").text.startswith("No rung is surely better than always saying “class ")


def test_a_rung_that_scores_less_than_a_constant_answer_is_told_before_one_trusts_it():
    record = study(FakeRung("tfidf", "counts", constant(0.3)), FakeRung("glove", "static", constant(0.8)))
    (told,) = [warning for warning in record.warnings if warning.name == "warning.below_guessing"]
    assert told.numbers["rungs"] == ["tfidf"]
    assert " scores less than always saying “class " in told.text
    assert not any(warning.name == "warning.below_guessing" for warning in study(TFIDF).warnings)


def test_encoders_that_the_chosen_rungs_leave_out_are_named():
    made = scores(tfidf=(80, 0.5), glove=(70, 0.5))
    rungs = [RungResult(Named(name, FAMILIES[name], constant(0.5))) for name in ("tfidf", "glove")]
    about = StudyResult(
        task(200), LabelGrid((LABELS,), ()), rungs, made, 0.01, unused_encoders=("minilm", "folder/mine")
    )
    text = VerdictWriter(about).finding().text
    assert "leave out minilm and mine: add minilm to them to learn what context would add." in text
    assert "No contextual encoder was asked for" not in text


def test_where_only_the_usual_interval_excludes_no_difference_the_surer_one_is_given():
    text = sentence(scores(tfidf=(80, 0.5), minilm=(83, 2.8))).text
    assert "tfidf is 3.0 points behind minilm (95 %: " in text
    assert re.search(
        r"a verdict has to be surer, and by its interval \(9[6-9]\S* %: .* to \+?0.\d\) the two may be", text
    )
    near = sentence(scores(tfidf=(80, 0.2), minilm=(80.2, 0.75))).text
    assert re.search(r"to be surer, and by its interval \(.*\) .* may be ahead by more than 1.0 point\.", near)


@pytest.mark.parametrize(("scored_by", "named"), [("accuracy", ""), ("macro_f1", "by macro F1, ")])
@pytest.mark.parametrize("mean", [80.2, 86])
def test_a_metric_other_than_accuracy_is_named_beside_the_points(scored_by, named, mean):
    finding = sentence(scores(tfidf=(80, 0.5), minilm=(mean, 0.5)), about=replace(task(200), metric=scored_by))
    assert re.match(f"With 100 labels, {named}(minilm|tfidf) is ", finding.text)
