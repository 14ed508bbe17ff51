"""The study of a pretrained model against fresh weights."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tests.representations.tiny_encoder import write_tiny_encoder

from downstream import Arm, draw, milestones
from parts.tables import markdown
from parts.tagging import tags_of
from parts.tuning import best_rate
from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.records import Table
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.run_result import HyperParameters, Result


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_tiny_encoder(tmp_path_factory.mktemp("model") / "tiny")


def test_fresh_weights_are_another_draw_for_each_seed_and_the_same_for_one(model, tmp_path):
    for place, seed in (("a", 0), ("b", 0), ("c", 1)):
        draw(str(model), tmp_path / place, seed)
    first, again, other = (load_file(tmp_path / place / "model.safetensors") for place in "abc")
    trained = load_file(model / "model.safetensors")
    assert {name: one.shape for name, one in first.items()} == {name: one.shape for name, one in trained.items()}
    assert all(torch.equal(one, again[name]) for name, one in first.items())
    matrix = next(name for name in first if name.endswith("word_embeddings.weight"))
    assert not torch.equal(first[matrix], other[matrix])
    assert not torch.equal(first[matrix], trained[matrix])
    assert float(first[matrix].std()) == pytest.approx(0.02 * 0.88, rel=0.05)  # a normal cut at two deviations


def test_fresh_weights_read_as_the_model_does(model, tmp_path):
    draw(str(model), tmp_path / "seed-0", 0)
    text = ["a few words"]
    assert (
        load(str(tmp_path / "seed-0")).tokenizer.encode(text)[0].ids.tolist()
        == load(str(model)).tokenizer.encode(text)[0].ids.tolist()
    )


def test_milestones_stand_in_the_order_of_their_tokens(tmp_path):
    for name, tokens in (("00000900", 900), ("00000090", 90), ("not-one", None)):
        (tmp_path / name).mkdir()
        if tokens:
            (tmp_path / name / "milestone.json").write_text(json.dumps({"step": 1, "tokens": tokens}))
    assert [arm.tokens for arm in milestones(tmp_path, 3, 1e-4)] == [90, 900]
    assert milestones(None, 3, 1e-4) == []


def test_each_run_of_each_rate_has_a_place_of_its_own(tmp_path):
    arm = Arm("fresh", "folder", 3, (1e-4, 5e-4))
    assert len({path for rate in arm.rates for path in arm.runs(rate, tmp_path)}) == 6


def test_a_run_that_failed_has_named_nothing():
    task = sample_task("tags")
    failed = Result(
        hyper_parameters=HyperParameters(learning_rate=1.0, batch_size=1, epochs=1.0), seed=0, state="failed", steps=1
    )
    said = tags_of(failed, task)
    assert [len(one) for one in said] == [len(one) for one in task.gold(task.test)]
    assert {task.classes[tag] for tag in np.concatenate(said)} == {"O"}


def test_a_table_in_markdown_has_its_rows_and_says_what_its_columns_mean():
    rows = [{"tokens": 1_000_000, "mean": 0.71234, "high": None}]
    told = markdown(Table.of(rows, {"tokens": "read", "mean": "of F1", "high": "end"}))
    assert told.splitlines()[:3] == ["| tokens | mean | high |", "|---|---|---|", "| 1,000,000 | 0.7123 |  |"]
    assert "*mean*: of F1" in told


def test_among_several_rates_one_is_chosen_by_what_was_held_back_or_none_is():
    def run(rate, dev):
        point = HyperParameters(learning_rate=rate, batch_size=1, epochs=1.0)
        return Result(hyper_parameters=point, seed=0, state="finished", steps=1, dev_score=dev, kept_step=1)

    failed = Result(
        hyper_parameters=HyperParameters(learning_rate=1.0, batch_size=1, epochs=1.0), seed=1, state="failed", steps=1
    )
    assert best_rate({1.0: [run(1.0, 0.9), failed], 2.0: [run(2.0, 0.6)]}) == 2.0
    assert best_rate({1.0: [run(1.0, None)]}) == 1.0
    with pytest.raises(BadInput, match="no dev part"):
        best_rate({1.0: [run(1.0, None)], 2.0: [run(2.0, None)]})
