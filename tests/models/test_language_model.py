"""Language models are read with their heads, or it is said what they lack; gaps are filled; texts get likelihoods."""

import pytest
import torch
from tests.models.language_models import a_language_model, made_up, write_language_model

from wordworth.errors import BadInput
from wordworth.models.language_model import language_model
from wordworth.serving.doctor import doctor

READS = {"bert": "masked", "pretraining": "masked", "causal-bert": "causal", "gpt2": "causal", "bilm": "bidirectional"}


@pytest.fixture(scope="module", params=list(READS))
def model(request, tmp_path_factory):
    return a_language_model(tmp_path_factory.mktemp("models"), request.param)


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    return a_language_model(tmp_path_factory.mktemp("models"), "bert")


def test_a_folder_gives_encoder_and_head_again(model):
    kind = model.name
    expected = made_up(kind)
    assert model.reads == READS[kind]
    for name, tensor in expected.heads.items():
        assert torch.equal(model.head.state_dict()[name.split(".", 2)[2]], tensor)
    for name, tensor in expected.model.state_dict().items():
        assert torch.equal(model.encoder.state_dict()[name], tensor)


@pytest.mark.parametrize("kind", list(READS))
def test_every_tensor_of_a_language_model_is_used_once_or_is_its_heads(kind, tmp_path):
    checks = {check.name: check for check in doctor(write_language_model(tmp_path / kind, kind))}
    assert checks["loads"].passed
    assert checks["tensors"].passed, checks["tensors"].detail
    assert checks["company"].passed


def test_what_has_no_head_says_so(tmp_path):
    with pytest.raises(BadInput, match="no language model head"):
        language_model(write_language_model(tmp_path / "bare", "bert", heads=False))
    with pytest.raises(BadInput, match="no language model head"):
        language_model(write_language_model(tmp_path / "bare_bilm", "bilm", heads=False))


def test_an_output_that_is_not_tied_is_refused(tmp_path):
    folder = write_language_model(tmp_path / "untied", "bert")
    text = (folder / "config.json").read_text()
    (folder / "config.json").write_text(text.replace("{", '{"tie_word_embeddings": false,', 1))
    with pytest.raises(BadInput, match="not tied"):
        language_model(folder)
