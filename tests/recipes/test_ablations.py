"""The paper's ablations: arms that differ in one thing and read alike, and a record from runs of seconds."""

import dataclasses
import json
import sys

import numpy as np
import pytest

import ablations
import ingredients
from parts import ablation_cells
from parts.ablation_arms import FAMILIES, arms, effects, sizes
from parts.effects import MEAN, NATS
from parts.equal_tokens import steps_for
from parts.matched import Variant, settings
from parts.small_tasks import cut
from wordworth.records import read
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.pretraining.build_components import build_objectives, open_stores, phases
from wordworth.training.pretraining.metrics_log import read as read_log
from wordworth.training.pretraining.recipe import Recipe, recipe

SHARES = (0.25, 0.5)


def told(command, monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", [command.__name__, *map(str, words)])
    return command.arguments()


@pytest.fixture
def given(corpus, tmp_path, monkeypatch):
    words = (corpus, "--held-out", corpus, "--out", tmp_path, "--tiny", "--model-size", "1x32", "--device", "cpu")
    return told(ablations, monkeypatch, *words)


def test_every_effect_is_of_arms_there_are_and_every_arm_is_of_an_effect():
    known, asked = arms("mini", SHARES), effects(SHARES)
    assert {name for each in asked for name in (each.better, each.worse)} == set(known)
    assert {each.family for each in asked} == set(FAMILIES)
    assert all(each.better != each.worse for each in asked)


def test_arms_are_what_they_are_called(given):
    known = {name: arm.variant for name, arm in arms("mini", SHARES).items()}
    made = {name: settings(given, variant, 0) for name, variant in known.items()}
    (store,) = open_stores([given.store])
    learned = {name: [each.name for each in build_objectives(one, store)] for name, one in made.items()}
    assert learned["base"] == ["mlm", "nsp"]
    assert learned["no-nsp"] == ["mlm"]
    assert learned["left-to-right"] == ["clm"]
    assert dataclasses.replace(made["no-nsp"].recipe, pair_objective=True) == made["base"].recipe
    assert made["left-to-right"].recipe == made["no-nsp"].recipe
    assert (made["80-0-20"].recipe.mask_replace_prob, made["80-0-20"].recipe.random_replace_prob) == (0.8, 0.2)
    assert (made["0-20-80"].recipe.mask_replace_prob, made["0-20-80"].recipe.random_replace_prob) == (0.0, 0.8)
    assert sizes("mini") == {
        "half-the-layers": "2x256",
        "twice-the-layers": "8x256",
        "half-the-width": "4x128",
        "twice-the-width": "4x512",
    }
    assert made["twice-the-width"].model_size == "4x512"
    assert [name for name, arm in arms("mini", SHARES).items() if arm.bilstm] == ["left-to-right-bilstm"]


def test_arms_read_the_same_number_of_tokens_however_full_their_sequences_are(given):
    read_by = {}
    for sequences in ("pairs", "packed", "ordered"):
        made = settings(given, Variant("any", "bert", (f"sequences={sequences}",)), 0)
        (phase,) = phases(made, open_stores(made.stores))
        lengths = [len(phase.stream.batch(step).ids) for step in range(steps_for(made, 20_000))]
        read_by[sequences] = (sum(lengths), len(lengths))
        assert abs(sum(lengths) - 20_000) <= max(lengths) / 2
    assert read_by["pairs"][1] != read_by["packed"][1]


def test_every_ingredient_of_the_recipe_has_an_arm_or_a_reason_to_have_none():
    changes = {name: ingredients.changes_of(name, 16) for name in ingredients.ARMS}
    changed = {change.partition("=")[0] for one in changes.values() for change in one}
    of_size = {"lengths"}
    elsewhere = {"anisotropy", "objectives", "objective_options"}  # a study of its own; other objectives
    in_another = {"init_std", "random_replace_prob"}  # the one goes by width, the other with mask_replace_prob
    fields = {field.name for field in dataclasses.fields(Recipe)} - {"name"}
    assert fields - changed <= of_size | elsewhere | in_another
    assert all(recipe("modern", one) for one in changes.values())
    assert (changes["half-the-batch"], changes["twice-the-batch"]) == (("batch_size=8",), ("batch_size=32",))


def test_an_ingredient_that_cannot_start_at_neighbours_is_held_against_a_model_that_does_not():
    started = {name: recipe("modern", changes).init_neighbour_heads for name, changes in ingredients.CHANGES.items()}
    without = {name for name, at_neighbours in started.items() if not at_neighbours}
    assert without == {"no-neighbours", "no-spread-by-width", "rotary"}
    assert {name for name, rival in ingredients.AGAINST.items() if rival == "no-neighbours"} == without - {
        "no-neighbours"
    }
    assert ingredients.with_rivals(["rotary", "spans"]) == ["base", "no-neighbours", "rotary", "spans"]


def found_in(whole, some, part, size):
    """The rows of a part of the whole task from which its first or last examples were taken, in their order."""
    said = [some.examples.take([row]) for row in (some.train if size == 20 else some.test)]
    return [row for row in part if whole.examples.take([row]) in said]


@pytest.mark.parametrize("kind", ["pair", "tags", "span"])
def test_a_task_that_is_cut_keeps_its_examples_with_their_labels(kind):
    whole = sample_task(kind)
    some, again = cut(whole, 20, 10), cut(whole, 20, 10)
    assert (len(some.train), len(some.test), len(some.examples)) == (20, 10, 30)
    assert some.examples == again.examples
    rows = [row for part, size in ((whole.train, 20), (whole.test, 10)) for row in found_in(whole, some, part, size)]
    assert len(rows) == 30
    assert all(np.array_equal(some.labels[place], whole.labels[row]) for place, row in enumerate(rows))
    assert len(cut(whole, 10**6, 10**6).examples) == len(whole.train) + len(whole.test)


@pytest.mark.slow
def test_a_run_of_seconds_ends_in_a_record_of_every_effect(given, tmp_path, monkeypatch):
    monkeypatch.setattr(ablation_cells, "small_task", lambda name, *_: dataclasses.replace(TASKS[name], name=name))
    words = (given.store, "--held-out", given.held_out, "--out", tmp_path, "--tiny", "--model-size", "1x32")
    small = ("--tokens", 1500, "--seeds", 1, "--families", "tasks", "steps", "--device", "cpu")
    monkeypatch.setattr(sys, "argv", ["ablations", *map(str, (*words, *small))])
    ablations.main()
    record = read(tmp_path / "ablations.json")
    gains = record.tables["gains"].rows()
    asked = [each for each in effects([0.5]) if each.family in {"tasks", "steps"}]
    assert {row["effect"] for row in gains} == {each.what for each in asked}
    assert {row["measure"] for row in gains} == {"mrpc", "conll2003", MEAN, NATS}
    assert {row["answer"] for row in gains} == {"cannot be told"}  # one seed
    arms_told = record.tables["arms"].rows()
    assert {row["arm"] for row in arms_told} == {"base", "no-nsp", "left-to-right"}
    rows = read_log(tmp_path / "base-0" / "training")
    assert arms_told[0]["tokens"] == sum(row["tokens"] for row in rows if row["kind"] == "step")
    assert json.loads((tmp_path / "settings.json").read_text())["tokens"] == 1500


TASKS = {"mrpc": sample_task("pair", 60), "conll2003": sample_task("tags", 60)}
