"""The cosine that `study similarity` takes apart is that of transformers' states, in every family that it writes."""

import numpy as np
import pytest
import torch
from tests.models.tiny import PIECES, SETTINGS, write_tiny

import wordworth as ww
from wordworth.models.load import load

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.peers

TEXTS = ["the cat, a dog as.", "a cab was the bus!"]


@pytest.fixture(params=["bert", "distilbert", "roberta", "xlm-roberta", "gpt2"])
def made_by_transformers(request, tmp_path):
    """A folder whose weights and config transformers wrote, and its model."""
    family, folder = request.param, write_tiny(tmp_path / request.param, request.param)
    config = transformers.AutoConfig.for_model(family, **{"vocab_size": len(PIECES), **SETTINGS[family]})
    model = transformers.AutoModel.from_pretrained(folder, config=config).eval()
    model.save_pretrained(folder)
    return folder, model


def test_cells_add_up_to_the_cosine_of_the_mean_states_of_transformers(made_by_transformers):
    folder, model = made_by_transformers
    tokenizer = load(folder).tokenizer
    means = []
    for tokens in tokenizer.encode(TEXTS):
        with torch.inference_mode():
            states = model(torch.from_numpy(tokens.ids)[None]).last_hidden_state[0]
        means.append(states.numpy().astype(float).mean(0))
    expected = means[0] @ means[1] / (np.linalg.norm(means[0]) * np.linalg.norm(means[1]))
    assert abs(expected) < 0.999  # far from 1, beside the tolerance
    for units in ("words", "pieces"):
        record = ww.study_similarity(TEXTS, model=str(folder), units=units)
        (pair,) = record.tables["pairs"].rows()
        cells = sum(row["value"] for row in record.tables["cells"].rows())
        assert abs(cells - pair["cosine"]) < 1e-12
        assert abs(cells - expected) < 1e-6
