"""A model goes on with other text: its own pieces kept, more of them, or others."""

import dataclasses

import pytest

from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.pretrain_and_adapt import PretrainingOptions, adapt
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain

RECIPE = ("adapt", ["batch_size=8", "lengths=16,16"])


def test_a_mixture_of_one_corpus_is_refused(model, notes, tmp_path):
    with pytest.raises(BadInput, match="`sampling` mixes several corpora, and only one is given"):
        adapt(str(model), [notes], out=tmp_path / "new", recipe=RECIPE, steps=1, sampling=0.7)
    assert not (tmp_path / "new").exists()


ARCHITECTURES = {"causal-bert": "clm", "gpt": "clm", "bilm": "bilm"}


def finished(corpus, out, **changes):
    usual = {"model_size": "1x32", "steps": 2, "recipe": recipe("modern", RECIPE[1]), "evals": 1}
    pretrain(PretrainingConfig(stores=(corpus,), out=out, **{**usual, **changes}))
    return out


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_model_goes_on_with_the_objective_that_it_was_made_for(corpus, other, tmp_path, architecture):
    given = finished(corpus, tmp_path / "given", architecture=architecture, held_out=other)
    adapt(str(given), [corpus], out=tmp_path / "new", recipe=RECIPE, steps=2, held_out=other, evals=1)
    (before,) = [row for row in read(given / "training") if row["kind"] == "evaluation"]
    first = next(row for row in read(tmp_path / "new" / "training") if row["kind"] == "evaluation")
    losses = {name for name in first if name not in {"kind", "step"}}
    assert not any(name.startswith("mlm") for name in losses)
    assert first == pytest.approx({**before, "step": 0}, abs=0.02)
    configs = [read_checkpoint(folder).model.config for folder in (given, tmp_path / "new")]
    assert type(configs[0]) is type(configs[1])
    assert getattr(configs[0], "causal", None) == getattr(configs[1], "causal", None)


def test_a_start_of_another_architecture_than_asked_for_is_refused(corpus, tmp_path):
    given = finished(corpus, tmp_path / "given", architecture="gpt")
    with pytest.raises(BadInput, match="this model is a gpt, not a bert"):
        finished(corpus, tmp_path / "new", initial_model=given)


@pytest.mark.parametrize("change", ["norm=pre", "pad_vocab_to_multiple=8"])
def test_what_a_finished_network_cannot_change_is_refused_with_what_it_can(model, notes, tmp_path, change):
    with pytest.raises(BadInput, match=rf"{change} cannot be changed for an existing model.*you can change .*dropout"):
        adapt(str(model), [notes], out=tmp_path / "new", recipe=("adapt", [*RECIPE[1], change]), steps=1)
    assert not (tmp_path / "new").exists()


def test_a_model_is_not_adapted_in_its_own_folder(model, notes):
    with pytest.raises(BadInput, match="this is the model to start from"):
        adapt(str(model), [notes], out=model, steps=1)


def test_a_table_of_vectors_is_not_adapted(notes, tmp_path):
    (tmp_path / "table.txt").write_text("word 0.5 0.25\nother 1.0 2.0\n")
    with pytest.raises(BadInput, match="table of word vectors"):
        adapt(str(tmp_path / "table.txt"), [notes], out=tmp_path / "out", steps=1)


def test_every_option_of_a_run_is_one_of_its_settings():
    settings = {field.name for field in dataclasses.fields(PretrainingConfig)}
    assert PretrainingOptions.__annotations__.keys() - {"threads"} <= settings


def test_a_plain_model_warns_of_links_that_it_reads_as_letters(model, notes, tmp_path, heard):
    linked = tmp_path / "linked.txt"
    linked.write_text(notes.read_text().replace("fox", "[[Q8|fox]]"))
    adapt(str(model), [linked, notes], out=tmp_path / "new", recipe=RECIPE, steps=1, progress=heard)
    (warning,) = [note for note in heard.notes if "reads as letters" in note]
    assert warning.startswith(f"{linked}: ")
    assert "[[Q8|fox]]" in warning


@pytest.mark.parametrize(("change", "message"), [("objectives=foo", "foo"), ("dea.replaced=0.1", "the objectives are")])
def test_an_objective_that_is_not_there_is_refused_before_a_corpus_is_read(model, notes, tmp_path, change, message):
    with pytest.raises(BadInput, match=message):
        adapt(str(model), [notes], out=tmp_path / "new", recipe=("adapt", [*RECIPE[1], change]), steps=1)
    assert not (tmp_path / "new").exists()


def test_dea_names_the_model_that_fuses_no_entities(model, notes, tmp_path):
    changes = [*RECIPE[1], "objectives=mlm,dea"]
    with pytest.raises(BadInput, match="dea needs a model that fuses entities") as error:
        adapt(str(model), [notes], out=tmp_path / "new", recipe=("adapt", changes), steps=1)
    assert error.value.where == model.name


def test_a_lexicon_that_occurs_nowhere_leaves_nothing_behind(model, notes, tmp_path):
    lexicon = tmp_path / "lexicon.txt"
    lexicon.write_text("fox the the\n")
    with pytest.raises(BadInput, match="the only phrase of this lexicon does not occur in the corpus"):
        adapt(str(model), [notes], out=tmp_path / "new", recipe=RECIPE, steps=1, lexicon=lexicon)
    assert not (tmp_path / "new").joinpath("training", "corpora").exists()
    assert notes.exists()
