"""The model in memory: its name, its fingerprint and its canaries."""

import base64
from dataclasses import replace

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned
from tests.serving.served import ask, served, tiny_encoder

from wordworth.errors import BadInput
from wordworth.models.canary_texts import CANARIES
from wordworth.models.choose_layers_and_pooling import with_layers_and_pooling
from wordworth.models.vector_space_identity import fingerprint_of
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
    loaded = Served.load(run, ServeSettings(dtype="float32"))
    assert loaded.predicts
    assert not loaded.canaries
    (run / "more.txt").write_text("another file")
    assert Served.load(run, ServeSettings(dtype="float32")).fingerprint != loaded.fingerprint


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(BadInput):
        Served.load(tmp_path, ServeSettings())


def test_layers_and_poolings_are_those_of_the_settings(tmp_path):
    encoder = tiny_encoder(tmp_path / "tiny")
    chosen = with_layers_and_pooling(encoder, -2, ["mean", "max"])
    with served(tmp_path / "tiny", dtype="float32", layers=(-2,), pooling=("mean", "max")) as app:
        vectors = ask(app, "/v1/embeddings", {"input": ["the cab", "a"]}).json()["data"]
        tokens = ask(app, "/embed_all", {"inputs": "the cab"}).json()[0]
        info = ask(app, "/info").json()
    assert np.allclose([each["embedding"] for each in vectors], chosen.encode(["the cab", "a"]), atol=1e-5)
    assert len(tokens[0]) == encoder.model.width
    assert (info["model_type"], info["layers"]) == ({"embedding": {"pooling": "mean+max"}}, [1])
    assert info["fingerprint"] not in {fingerprint_of(encoder), fingerprint_of(replace(chosen, head=encoder.head))}


def test_only_an_encoder_has_layers_and_poolings(tmp_path):
    (tmp_path / "table.txt").write_text("the 1 2\ncat 3 4\n")
    for model in (write_tuned(tmp_path / "run"), tmp_path / "table.txt"):
        for settings in ({"layers": (-2,)}, {"special_tokens": False}):
            with pytest.raises(BadInput, match="are for an encoder; leave them out"):
                Served.load(model, ServeSettings(**settings))
