"""What is said of an effect, from made-up scores."""

from dataclasses import replace

import numpy as np
import pytest

from ingredients import answer as ingredient_answer
from parts.effects import MEAN, NATS, Effect, answer, gain_rows, verdict
from parts.scored import DRAWS, Scored, difference, mean_of
from parts.tuning import resampled
from wordworth.testing.sample_tasks import sample_task

SHARP = np.linspace(-0.001, 0.001, DRAWS)


def runs(*points, spread=1.0, first=0):
    return {first + seed: (point, point + spread * SHARP) for seed, point in enumerate(points)}


def gain(*points, spread=1.0):
    return Scored(np.array(points), np.array([point + spread * SHARP for point in points]))


@pytest.mark.parametrize(
    ("found", "expected", "said"),
    [
        (gain(0.05, 0.051, 0.049), 1.0, "seen"),
        (gain(0.001, 0.0, -0.001), 1.0, "not seen"),
        (gain(-0.05, -0.051, -0.049), 1.0, "not seen"),
        (gain(0.05, -0.04, 0.03), 1.0, "cannot be told"),
        (gain(0.05, 0.05, 0.05, spread=100), 1.0, "cannot be told"),
        (gain(-0.05, -0.051, -0.049), -0.018, "seen"),
        (gain(0.05, 0.051, 0.049), -0.018, "not seen"),
        (gain(0.05), 1.0, "cannot be told"),
    ],
)
def test_an_effect_is_seen_not_seen_or_cannot_be_told(found, expected, said):
    assert answer(found, "mrpc", expected) == said


def test_where_neither_arm_learned_anything_an_effect_is_not_said_to_be_missing():
    effect, alike = Effect("tasks", "an effect", "one", "other"), {"mrpc": runs(0.68, 0.68, 0.68)}
    (row,) = gain_rows(effect, {"one": alike, "other": alike}, {"mrpc": 0.68}, ["mrpc"])
    assert (row["learned"], row["answer"]) == (False, "cannot be told")
    (row,) = gain_rows(effect, {"one": alike, "other": alike}, {"mrpc": 0.5}, ["mrpc"])
    assert (row["learned"], row["answer"]) == (True, "not seen")


@pytest.mark.parametrize(("nats", "learned"), [(6.9, True), (7.1, False)])
def test_a_model_must_beat_the_unigram_for_its_nats_to_say_anything(nats, learned):
    effect, alike = Effect("sizes", "an effect", "one", "other", nats=True), {NATS: runs(nats, nats, nats)}
    (row,) = gain_rows(effect, {"one": alike, "other": alike}, {NATS: 7.0}, [])
    assert (row["learned"], row["answer"]) == (learned, "not seen" if learned else "cannot be told")
    assert ingredient_answer(gain(0.0, 0.0), learned=learned) == ("no difference" if learned else "cannot be told")


def test_arms_are_paired_by_seed_and_only_where_both_have_run():
    found = difference(runs(0.9, 0.5, 0.7), runs(0.4, 0.6, first=1))
    assert found.point == pytest.approx([0.1, 0.1])
    assert difference(runs(0.9), runs(0.4, first=1)) is None


def test_the_mean_of_tasks_is_of_seeds_that_all_of_them_have():
    assert {seed: point for seed, (point, _) in mean_of([runs(0.2, 0.4), runs(0.6, first=1)]).items()} == {1: 0.5}


def test_fewer_nats_are_a_gain_and_frozen_features_are_no_task_of_the_mean():
    one = {"mrpc": runs(0.8, 0.8), "rte": runs(0.6, 0.6), "frozen": runs(0.1, 0.1), NATS: runs(4.0, 4.1)}
    other = {"mrpc": runs(0.7, 0.7), "rte": runs(0.6, 0.6), "frozen": runs(0.9, 0.9), NATS: runs(4.5, 4.6)}
    effect = Effect("tasks", "an effect", "one", "other", {"mrpc": 0.02}, nats=True)
    floors = {"mrpc": 0.5, "rte": 0.5, "frozen": 0.95}
    found = gain_rows(effect, {"one": one, "other": other}, floors, ["mrpc", "rte"])
    rows = {row["measure"]: row for row in found}
    assert [row["measure"] for row in found if not row["learned"]] == ["frozen"]
    assert rows[NATS]["gain"] == pytest.approx(0.5)
    assert rows[MEAN]["gain"] == pytest.approx(0.05)
    assert (rows["mrpc"]["published"], rows["rte"]["published"]) == (0.02, None)
    assert rows["mrpc"]["could_see"] == pytest.approx((rows["mrpc"]["high"] - rows["mrpc"]["low"]) / 2)


def test_losses_are_not_compared_where_one_arm_is_asked_another_thing():
    both = {NATS: runs(4.0, 4.1)}
    assert gain_rows(Effect("tasks", "an effect", "one", "other"), {"one": both, "other": both}, {}, []) == []


def test_a_verdict_names_each_effect_under_what_can_be_said_of_it():
    rows = [
        {"effect": "both sides", "measure": "mrpc", "answer": "seen"},
        {"effect": "both sides", "measure": "rte", "answer": "cannot be told"},
        {"effect": "a pair's order", "measure": "mrpc", "answer": "not seen"},
    ]
    assert verdict(rows).text.splitlines() == [
        "Seen at this scale: both sides (mrpc).",
        "Not seen at this scale: a pair's order (mrpc).",
        "Cannot be told at this scale: both sides (rte).",
    ]
    assert "yet" in verdict([]).text


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (gain(0.1, 0.11, 0.09), "pays"),
        (gain(-0.1, -0.11, -0.09), "costs"),
        (gain(0.001, 0.0, -0.001), "no difference"),
        (gain(0.1, -0.1, 0.05), "cannot be told"),
        (gain(0.1), "cannot be told"),
    ],
)
def test_an_ingredient_pays_costs_makes_no_difference_or_cannot_be_told(found, said):
    assert ingredient_answer(found) == said


def test_sentences_of_one_document_are_drawn_together():
    task = sample_task("tags", 60)
    marked = replace(task, examples=replace(task.examples, documents=tuple(row // 15 for row in range(60))))
    weights, of = resampled(marked, slice(5, None), "some"), np.array(marked.examples.documents)[marked.test[5:]]
    assert weights.shape == (DRAWS, len(task.test) - 5)
    assert all(np.ptp(weights[:, of == document], axis=1).max() == 0 for document in np.unique(of))
    assert np.ptp(resampled(task, slice(5, None), "some"), axis=1).max() > 0
