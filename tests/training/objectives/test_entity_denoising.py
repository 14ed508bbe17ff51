"""The denoising entity auto-encoder: 5 % replaced, 15 % removed, 80 % kept; the label is always the true entity."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import stats
from tests.models.entity_fusion.conftest import fused_folder  # noqa: F401 - a fixture
from tests.training.objectives.instances import many
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.testing.objectives import check_objective
from wordworth.text.corpus.token_store import build_store
from wordworth.text.entity_link_tokenizer import LinkedTokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.entity_denoising import EntityDenoising
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.pretraining.batches import packed
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import continued_recipe
from wordworth.training.pretraining.run import pretrain

DEA = EntityDenoising()


def linked(sequences, length, entities, seed=0):
    made, rng = many(sequences, length, seed), np.random.default_rng(seed)
    entity = np.where(rng.random(len(made.ids)) < 0.5, rng.integers(0, entities, len(made.ids)), -1)
    return replace(made, features={"entity": entity})


def test_alignments_are_corrupted_at_the_rates_of_the_paper():
    made = linked(400, 64, 50)
    corrupted, targets = DEA.prepare(made, np.random.default_rng(1))
    true, now = made.features["entity"][targets.positions], corrupted.features["entity"][targets.positions]
    counts = [np.sum((now != true) & (now >= 0)), np.sum(now < 0), np.sum(now == true)]
    expected = np.array([0.05, 0.15, 0.80]) * len(true)
    assert stats.chisquare(counts, expected).pvalue > 0.001
    replaced = np.bincount(now[(now != true) & (now >= 0)], minlength=50)
    assert stats.chisquare(replaced).pvalue > 0.001


def test_every_mention_is_predicted_as_its_true_entity_and_nothing_else_changes():
    made = linked(20, 30, 9)
    corrupted, targets = DEA.prepare(made, np.random.default_rng(0))
    entity = made.features["entity"]
    assert (targets.positions == np.flatnonzero(entity >= 0)).all()
    assert (targets.labels == entity[targets.positions]).all()
    assert (targets.candidates == np.unique(targets.labels)).all()
    assert (np.delete(corrupted.features["entity"], targets.positions) == -1).all()
    assert (corrupted.ids == made.ids).all()


def test_a_single_entity_is_never_replaced_and_none_at_all_costs_nothing(fused_folder):  # noqa: F811
    only = linked(50, 30, 1)
    corrupted, _ = EntityDenoising(replaced=1.0, removed=0.0).prepare(only, np.random.default_rng(0))
    assert (corrupted.features["entity"] == only.features["entity"]).all()
    bare = replace(only, features={"entity": np.full(len(only.ids), -1)})
    made, targets = DEA.prepare(bare, np.random.default_rng(0))
    model = read_encoder(fused_folder).model
    loss = DEA.loss(DEA.head(model), ModelOutput(model, packed(made), torch.ones(len(made.ids), model.width)), targets)
    assert (loss.sum.item(), loss.count) == (0, 0)


def test_the_loss_is_the_cross_entropy_among_the_entities_of_the_step(fused_folder):  # noqa: F811
    model, made = read_encoder(fused_folder).model, linked(6, 12, 4)
    made, targets = DEA.prepare(made, np.random.default_rng(0))
    head = DEA.head(model)
    states = torch.randn(len(made.ids), model.width)
    loss = DEA.loss(head, ModelOutput(model, packed(made), states), targets)
    scores = head(states[targets.positions]) @ model.body.entities[targets.candidates].T
    right = torch.from_numpy(np.searchsorted(targets.candidates, targets.labels))
    assert loss.sum.item() == pytest.approx(functional.cross_entropy(scores, right, reduction="sum").item(), rel=1e-5)
    assert loss.correct == (scores.argmax(1) == right).sum()


def test_parts_of_a_step_choose_among_the_entities_of_the_whole_step():
    made, targets = DEA.prepare(linked(8, 12, 30), np.random.default_rng(0))
    part = targets.take(np.array([2, 5]), made.starts)
    assert (part.candidates == targets.candidates).all()
    assert (part.labels == made.take(np.array([2, 5])).features["entity"][part.positions]).sum() <= len(part)


@pytest.mark.parametrize("rates", [{"replaced": -0.1}, {"replaced": 0.6, "removed": 0.6}])
def test_rates_out_of_range_are_refused(rates):
    with pytest.raises(BadInput, match="out of range"):
        EntityDenoising(**rates)


def settings(folder, fused, **changes):
    text = "".join(json.dumps({"text": f"the [[Q{1 + n % 5}|a]] s {'ab'[n % 2]} was."}) + "\n" for n in range(60))
    (folder / "texts.jsonl").write_text(text)
    build_store(folder / "texts.jsonl", LinkedTokenizer.read(fused), folder / "store")
    options = ["objectives=mlm,dea", "batch_size=8", "lengths=16,16"]
    values = {"stores": (folder / "store",), "steps": 4, "dtype": "float32", "device": "cpu", "initial_model": fused}
    recipe = continued_recipe("adapt", options)
    return PretrainingConfig(**{**values, "out": folder / "out", "recipe": recipe, **changes})


@pytest.mark.slow
def test_a_stopped_run_resumes_to_the_same_weights_and_the_table_stays(fused_folder, tmp_path):  # noqa: F811
    run = settings(tmp_path, fused_folder, held_out=tmp_path / "store", evals=2, micro_batch_tokens=60)
    check_objective(run)
    trained, before = (read_encoder(folder) for folder in (tmp_path / "out/whole", fused_folder))
    assert torch.equal(trained.model.body.entities, before.model.body.entities)
    assert not torch.equal(*(e.model.body.layers[1].entity_up.weight for e in (trained, before)))
    rows = [json.loads(line) for line in (tmp_path / "out/whole/training/log.jsonl").read_text().splitlines()]
    last = [row for row in rows if row["kind"] == "evaluation"][-1]
    assert {"dea", "dea_right", "mlm"} <= last.keys()


def test_a_corpus_without_links_or_a_model_without_entities_is_refused(fused_folder, tmp_path):  # noqa: F811
    run = settings(tmp_path, fused_folder)
    with pytest.raises(BadInput, match="dea needs a model that fuses entities"):
        DEA.head(read_encoder(fused_folder.parent / "encoder").model)
    (tmp_path / "plain.txt").write_text("the a s.\n" * 50)
    build_store(tmp_path / "plain.txt", Tokenizer.read(fused_folder), tmp_path / "plain")
    with pytest.raises(BadInput, match="dea needs a model that fuses entities, which reads links"):
        pretrain(replace(run, stores=(tmp_path / "plain",)))


def test_a_corpus_in_which_nothing_is_linked_is_refused_by_its_name(fused_folder, tmp_path):  # noqa: F811
    run = settings(tmp_path, fused_folder)
    (tmp_path / "plain.txt").write_text("the a s.\n" * 50)
    corpora = tmp_path / "corpora"
    build_store(tmp_path / "plain.txt", LinkedTokenizer.read(fused_folder), corpora / "0-plain.txt")
    with pytest.raises(BadInput, match="dea needs links to entities") as error:
        pretrain(replace(run, stores=(corpora / "0-plain.txt",)))
    assert error.value.where == "plain.txt"
