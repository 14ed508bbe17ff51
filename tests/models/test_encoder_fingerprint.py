"""The key of an encoder is that of its weights as float32, by their bytes; no copy of them is made."""

import numpy as np
import pytest
import torch
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import fingerprint


@pytest.fixture
def encoder(tmp_path):
    return ww.load(write_tiny(tmp_path / "tiny"), dtype="float32")


def key_of_copies(encoder):
    """The key as its definition has it: bytes of every weight, then the settings."""
    weights = [value.float().numpy().tobytes() for value in encoder.model.state_dict().values()]
    settings = (encoder.tokenizer.fingerprint, encoder.head.modes, len(encoder.head.steps), encoder.max_length)
    return content_key(*weights, *settings, encoder.prompt, encoder.dtype)


def test_the_key_is_that_of_the_bytes_of_all_weights(encoder):
    assert fingerprint(encoder) == key_of_copies(encoder)


def test_one_changed_weight_is_another_key(encoder):
    before = fingerprint(encoder)
    with torch.no_grad():
        next(encoder.model.parameters()).view(-1)[0] += 1
    assert fingerprint(encoder) != before


@pytest.mark.parametrize("shape", [(), (0,), (3, 2)])
def test_memory_has_the_key_of_its_bytes(shape):
    values = np.ones(shape, np.float32)
    assert content_key(values.reshape(-1).view(np.uint8).data) == content_key(values.tobytes())
