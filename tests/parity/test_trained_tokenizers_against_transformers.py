"""A model that was pretrained on each kind of vocabulary is to transformers what it is here: ids and numbers."""

import numpy as np
import pytest
import torch
from tests.text.subwords.conftest import ALGORITHMS, folders, scripts, trained  # noqa: F401 - fixtures

import wordworth as ww
from wordworth.models.language_model import language_model
from wordworth.text.tokenizer import Tokenizer

transformers = pytest.importorskip("transformers")
OVERRIDE = {"batch_size": 4, "lengths": (32, 32), "masking_unit": "word"}
TEXTS = ["bakoti, मुकि 天地 (so) 1917!", "Don't  stop  ☃", "ло [MASK] né.", ""]


@pytest.fixture(scope="module", params=ALGORITHMS)
def model(request, folders, scripts, tmp_path_factory):  # noqa: F811 - fixtures
    out = tmp_path_factory.mktemp(request.param) / "model"
    ww.pretrain(
        scripts, out=out, tokenizer=folders[request.param], model_size="1x16", steps=2, override=OVERRIDE, threads=1
    )
    return out


@pytest.mark.peers
def test_ids_and_logits_are_those_of_transformers(model):
    theirs, ours = transformers.AutoTokenizer.from_pretrained(model), Tokenizer.read(model)
    for text in TEXTS:
        assert theirs(text)["input_ids"] == ours.ids([text])[0].tolist()
    assert theirs(TEXTS[0], TEXTS[2])["input_ids"] == ours.ids([TEXTS[0]], [TEXTS[2]])[0].tolist()
    assert (theirs.pad_token_id, theirs.cls_token_id, theirs.mask_token_id) == (0, 2, 4)
    network = transformers.AutoModelForMaskedLM.from_pretrained(model).eval()
    read = theirs(TEXTS[2], return_tensors="pt")
    with torch.no_grad():
        logits = network(**read).logits[0].log_softmax(-1).numpy()
    here = language_model(model)
    from wordworth.models.batch import pack

    with torch.inference_mode():
        logs = here.log_probabilities(here.encoder(pack(here.tokenizer.encode([TEXTS[2]])))).numpy()
    assert np.abs(logs[:, : here.tokenizer.vocab_size] - logits[:, : here.tokenizer.vocab_size]).max() < 1e-4


@pytest.mark.peers
def test_byte_pairs_come_back_from_transformers_decoder(folders):  # noqa: F811 - a fixture
    theirs = transformers.AutoTokenizer.from_pretrained(folders["byte-level"])
    for text in (*TEXTS, "x \r\n\ty  日本 é\u0301 "):
        ids = theirs(text.replace("[MASK]", "mask"), add_special_tokens=False)["input_ids"]
        assert theirs.decode(ids, clean_up_tokenization_spaces=False) == text.replace("[MASK]", "mask")
