"""What runs of a fine-tuning share."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.tasks import task_types
from wordworth.training.finetuning.run_inputs import Experiment, load_encoder, pooling_of
from wordworth.training.finetuning.run_result import HyperParameters
from wordworth.training.finetuning.settings import FinetuneSettings


@pytest.fixture
def bert(tmp_path):
    """A plain BERT, and how its config is changed."""
    folder = write_tiny_encoder(tmp_path / "bert")
    (folder / "modules.json").unlink()

    def made(**changes):
        config = json.loads((folder / "config.json").read_text()) | changes
        (folder / "config.json").write_text(json.dumps(config))
        return str(folder)

    return made


def test_a_model_that_reads_from_left_to_right_is_not_read_at_its_first_token(bert):
    model = bert(is_decoder=False)
    assert pooling_of(FinetuneSettings(model=model), load_encoder(model)) == "pooler"
    one_sided = load_encoder(bert(is_decoder=True))
    assert pooling_of(FinetuneSettings(model=model), one_sided) == "mean"
    with pytest.raises(BadInput, match="no pooling 'pooler'"):
        pooling_of(FinetuneSettings(model=model, pooling="pooler"), one_sided)


def test_a_bert_of_our_own_pretraining_has_its_pooler(bert):
    model = bert(model_type="wordworth-bert", positions="learned", norm="post")
    assert pooling_of(FinetuneSettings(model=model), load_encoder(model)) == "pooler"


def one_of(recipe, kind):
    """What the settings of a run are made from."""
    split, task = SimpleNamespace(train=np.arange(100)), SimpleNamespace(type=task_types.get(kind))
    return SimpleNamespace(settings=FinetuneSettings(recipe=recipe), task=task, split=split, pooling="pooler")


def test_the_paper_s_spans_are_scored_without_dropout_before_the_output_and_nothing_else_is():
    point = HyperParameters(learning_rate=3e-5, batch_size=32, epochs=3)
    rates = {
        (recipe, kind): Experiment.config(one_of(recipe, kind), point).dropout
        for recipe in ("paper", "modern")
        for kind in ("question_answering", "tagging", "pair_classification")
    }
    assert rates.pop(("paper", "question_answering")) == 0
    assert set(rates.values()) == {0.1}
