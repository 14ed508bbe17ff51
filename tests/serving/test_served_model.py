"""The model in memory: its name, its fingerprint and its canaries."""

import base64

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned
from tests.serving.served import tiny_encoder

from wordworth.errors import BadInput
from wordworth.models.canary_texts import CANARIES
from wordworth.serving.served_model import Served
from wordworth.serving.settings import ServeSettings


def test_a_folder_and_what_was_loaded_from_it_are_the_same_model(tmp_path):
    encoder = tiny_encoder(tmp_path / "tiny")
    loaded, named = (Served.load(each, ServeSettings(dtype="float32")) for each in (encoder, tmp_path / "tiny"))
    assert (loaded.name, loaded.fingerprint, loaded.canaries) == (named.name, named.fingerprint, named.canaries)
    assert named.name == "tiny"
    vectors = [np.frombuffer(base64.b64decode(each), "<f4") for each in named.canaries]
    assert np.allclose(vectors, encoder.encode(list(CANARIES), long_texts="cut"), atol=1e-5)
    assert not named.predicts


def test_a_fine_tuned_model_predicts_and_has_a_fingerprint_of_its_files(tmp_path):
    run = write_tuned(tmp_path, steps=2)
    served = Served.load(run, ServeSettings(dtype="float32"))
    assert served.predicts
    assert not served.canaries
    (run / "more.txt").write_text("another file")
    assert Served.load(run, ServeSettings(dtype="float32")).fingerprint != served.fingerprint


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(BadInput):
        Served.load(tmp_path, ServeSettings())
