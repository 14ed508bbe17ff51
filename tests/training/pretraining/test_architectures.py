"""BERT's rivals go through the same run and leave folders that are language models."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.training.pretraining.small_run import settings

from wordworth.errors import BadInput
from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.language_model import language_model
from wordworth.serving.doctor import doctor
from wordworth.testing.objectives import check_objective
from wordworth.training.pretraining import adapt
from wordworth.training.pretraining.build_components import build_objectives, open_stores, stream
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain

READS = {"bert": "masked", "causal-bert": "causal", "gpt": "causal", "bilm": "bidirectional"}
SAID = ["the fox sees the dog here.", "the cat hears the king today."]
MIXED = ["here dog the sees fox the.", "today the hears king cat the."]


SLOW = pytest.mark.slow


@pytest.mark.slow
@pytest.mark.parametrize(
    ("architecture", "rate"),
    [
        pytest.param("bert", 0.01, marks=SLOW),
        pytest.param("causal-bert", 0.01, marks=SLOW),
        pytest.param("gpt", 0.01, marks=SLOW),
        ("bilm", 0.03),
    ],
)
def test_every_architecture_learns_and_leaves_a_language_model(architecture, rate, corpus, tmp_path):
    ingredients = recipe(
        "modern", ["batch_size=16", "lengths=16,16", "first_phase_fraction=1", f"learning_rate={rate}"]
    )
    pretrain(settings(corpus, tmp_path, architecture=architecture, model_size="2x32", steps=120, recipe=ingredients))
    losses = [row["loss"] for row in read(tmp_path / "training") if row["kind"] == "step"]
    assert losses[-1] < losses[0] - 0.8
    model = language_model(tmp_path)
    assert model.reads == READS[architecture]
    assert (log_likelihoods(model, SAID).logs > log_likelihoods(model, MIXED).logs).all()


@pytest.mark.parametrize("architecture", READS)
def test_what_a_run_leaves_passes_the_doctor(architecture, corpus, tmp_path):
    ingredients = recipe("modern", ["batch_size=2", "lengths=16,16"])
    pretrain(settings(corpus, tmp_path, architecture=architecture, steps=1, recipe=ingredients))
    assert not [check for check in doctor(tmp_path) if not check.passed]


@pytest.mark.parametrize("sequences", ["pairs", "ordered"])
def test_pairs_can_be_read_without_being_asked_about(sequences, corpus, tmp_path):
    asking = recipe("modern", ["batch_size=8", "lengths=16,16", "first_phase_fraction=1", f"sequences={sequences}"])
    given = settings(corpus, tmp_path, recipe=replace(asking, pair_objective=False), steps=1)
    stores = open_stores(given.stores)
    assert [each.name for each in build_objectives(given, stores[0])] == ["mlm"]
    assert len(build_objectives(replace(given, recipe=asking), stores[0])) == 2
    read_so, usual = (
        stream(one, stores, 16, one.recipe.batch_size).batch(0) for one in (given, replace(given, recipe=asking))
    )
    assert np.array_equal(read_so.ids, usual.ids)
    assert read_so.segments.any()
    pretrain(given)
    assert json.loads((tmp_path / "config.json").read_text())["architectures"] == ["BertForMaskedLM"]


@pytest.mark.parametrize(
    "changes",
    [("norm=pre",), ("positions=rotary", "init_neighbour_heads=no"), ("biases=no",), ("gated_mlp=yes",)],
    ids="-".join,
)
def test_layers_that_are_not_berts_leave_a_language_model_that_says_so(changes, corpus, tmp_path):
    ingredients = recipe("modern", ["batch_size=8", "lengths=16,16", "first_phase_fraction=1", *changes])
    pretrain(settings(corpus, tmp_path, recipe=ingredients, steps=2))
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "wordworth-bert"
    assert "library_name: wordworth\n" in (tmp_path / "README.md").read_text()
    config = language_model(tmp_path).encoder.config
    name, _, value = changes[0].partition("=")
    name = "gated" if name == "gated_mlp" else name  # as the config calls it
    assert getattr(config, name) == {"yes": True, "no": False}.get(value, value)


@pytest.mark.parametrize("architecture", ["gpt", "bilm"])
@pytest.mark.parametrize("change", ["positions=rotary", "biases=no", "gated_mlp=yes"])
def test_what_an_architecture_would_not_heed_is_refused(architecture, change, corpus, tmp_path):
    with pytest.raises(BadInput, match=f"are fixed for architecture {architecture}"):
        settings(corpus, tmp_path, recipe=recipe("modern", [change]), architecture=architecture, steps=1)


def test_phrases_of_a_lexicon_are_masked_whole(corpus, tmp_path):
    phrases = tmp_path / "phrases.txt"
    phrases.write_text("the fox sees\nthe dog\n\nthe unicorn\n")
    ingredients = recipe("modern", ["batch_size=200", "lengths=16,16", "first_phase_fraction=1", "mlm_probability=0.5"])
    given = settings(corpus, tmp_path / "model", recipe=ingredients, steps=1, lexicon=phrases)
    stores = open_stores(given.stores)
    (objective,) = build_objectives(given, stores[0])
    assert len(objective.masking_unit.phrases) == 2
    instances = stream(given, stores, 16, given.recipe.batch_size).batch(0)
    _, targets = objective.prepare(instances, np.random.default_rng(0))
    chosen = np.zeros(len(instances.ids), dtype=bool)
    chosen[targets.positions] = True
    fox = [stores[0].tokenizer.vocabulary[piece] for piece in ("the", "fox", "sees")]
    found = [place for place in range(len(chosen) - 2) if instances.ids[place : place + 3].tolist() == fox]
    assert {chosen[place : place + 3].sum() for place in found} == {0, 3}
    pretrain(given)
    phrases.write_text("the cat\n")
    with pytest.raises(BadInput, match="another lexicon"):
        pretrain(given)


def test_a_lexicon_that_is_missing_or_of_no_use_is_said(corpus, tmp_path):
    with pytest.raises(BadInput, match="no such lexicon"):
        settings(corpus, tmp_path, lexicon=tmp_path / "none.txt")
    (tmp_path / "phrases.txt").write_text("the fox\n")
    with pytest.raises(BadInput, match="masks nothing"):
        settings(corpus, tmp_path, lexicon=tmp_path / "phrases.txt", architecture="gpt")
    (tmp_path / "phrases.txt").write_text("fox the the\n")
    elsewhere = settings(corpus, tmp_path, lexicon=tmp_path / "phrases.txt", steps=1)
    with pytest.raises(BadInput, match="the only phrase of this lexicon does not occur in the corpus"):
        build_objectives(elsewhere, open_stores(elsewhere.stores)[0])


@SLOW
def test_a_run_with_a_lexicon_that_was_stopped_goes_on_as_if_it_never_was(corpus, tmp_path):
    (tmp_path / "phrases.txt").write_text("the fox sees\nthe dog\n")
    ingredients = recipe("modern", ["batch_size=8", "lengths=16,16", "masking_unit=word"])
    given = settings(corpus, tmp_path / "check", recipe=ingredients, steps=6, held_out=corpus, device="cpu",
                     lexicon=tmp_path / "phrases.txt", micro_batch_tokens=40)  # fmt: skip
    check_objective(given)


def test_a_model_goes_on_with_phrases_and_only_with_the_same_ones(model, notes, tmp_path):
    names = tmp_path / "names.conll"
    names.write_text("the\tB-X\nfox\tI-X\nhere\tO\n")
    options = {"lexicon": names, "steps": 1, "device": "cpu", "override": ["lengths=16,16"]}
    adapt(model, notes, out=tmp_path / "on", **options)
    assert "masking_unit phrases of names.conll" in (tmp_path / "on" / "README.md").read_text()
    names.write_text("the\tB-X\nfox\tI-X\nsees\tO\n")
    with pytest.raises(BadInput, match="another lexicon"):
        adapt(model, notes, out=tmp_path / "on", **options)


@SLOW
def test_a_bidirectional_language_model_is_continued(corpus, tmp_path):
    ingredients = recipe(
        "modern", ["batch_size=16", "lengths=16,16", "first_phase_fraction=1", "learning_rate=0.01", "dropout=0.1"]
    )
    first = settings(corpus, tmp_path / "first", architecture="bilm", model_size="2x32", steps=40, recipe=ingredients)
    pretrain(first)
    second = settings(
        corpus,
        tmp_path / "second",
        architecture="bilm",
        model_size="2x32",
        steps=3,
        recipe=ingredients,
        initial_model=tmp_path / "first",
    )
    pretrain(second)
    ended, began = (
        [row["loss"] for row in read(tmp_path / name / "training") if row["kind"] == "step"]
        for name in ("first", "second")
    )
    assert began[0] < ended[0] - 0.5


@pytest.mark.parametrize("name", ["brt", "roberta", "elmo"])
def test_an_architecture_that_cannot_be_pretrained_is_refused_with_those_that_can(name, corpus, tmp_path):
    with pytest.raises(BadInput, match=f"unknown architecture '{name}'"):
        settings(corpus, tmp_path, architecture=name, steps=1)
