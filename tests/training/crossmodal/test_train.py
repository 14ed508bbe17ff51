"""Training on words and codes: the same again, the best weights, and that it learns what goes together."""

import numpy as np
import pytest
import torch
from tests.training.crossmodal.made_up import VOCABULARY, pairs

from wordworth.progress import STILL
from wordworth.studies.crossmodal.evaluation import MEASURES, evaluate
from wordworth.training.crossmodal.settings import CrossmodalTrainingSettings
from wordworth.training.crossmodal.train import train

TINY = {"width": 16, "heads": 2, "layers": 1, "batch_size": 16, "max_length": 24, "device": "cpu", "subsampling": 1}


def trained(steps=10, **chosen):
    settings = CrossmodalTrainingSettings(**TINY, steps=steps, **chosen)
    return train(settings, VOCABULARY, pairs(40), pairs(20, 1), STILL, 0)


def test_the_same_seed_gives_the_same_weights():
    first, again = trained(), trained()
    assert first.loss == again.loss
    assert all(
        torch.equal(own, other) for own, other in zip(first.model.parameters(), again.model.parameters(), strict=True)
    )
    assert not first.model.training


def test_one_config_has_words_and_codes_in_one_table():
    model = trained(1).model
    assert len(model.encoder.embedding.word.weight) == VOCABULARY.size
    assert set(model.heads) == {"mlm", "alignment"}
    assert model.encoder.config.model_type == "bert"


@pytest.mark.slow
def test_it_learns_which_codes_belong_to_which_words():
    settings = CrossmodalTrainingSettings(**TINY, steps=1_500, learning_rate=1e-2, dropout=0.0)
    done = train(settings, VOCABULARY, pairs(300), pairs(60, 1), STILL, 0)
    hits = evaluate(done.model, VOCABULARY, pairs(100, 2), 24, 20, 0)
    shares = dict(zip(MEASURES, hits.right.sum(0) / hits.answers.sum(0), strict=True))
    assert shares["alignment"] > 0.6  # chance is 0.5, and 0.25 of what follows
    assert shares["word from codes, top 1"] > 0.5
    assert shares["code from words, top 1"] > 0.5
    assert np.isfinite(done.loss)
