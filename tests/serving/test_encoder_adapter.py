"""An encoder as a server reads it: the vectors of `encode`."""

import numpy as np
import pytest
from tests.serving.served import tiny_encoder

from wordworth.serving.encoder_adapter import EncoderReader

TEXTS = ["the cab", "", "a" * 3, "a b " * 30]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("tiny") / "tiny")


@pytest.mark.parametrize("cut", [True, False])
def test_vectors_are_those_of_encode(encoder, cut):
    reader = EncoderReader(encoder)
    read = reader.read(TEXTS, cut=cut)
    assert np.allclose(reader.embed(read), encoder.encode(TEXTS, long_texts="cut" if cut else "window"), atol=1e-5)


def test_tokens_that_are_read_and_cut_are_counted(encoder):
    reader = EncoderReader(encoder)
    tokens = len(encoder.tokenizer.ids([TEXTS[3]])[0])
    assert [(each.size, each.cut) for each in reader.read(TEXTS[3:], cut=True)] == [(24, tokens - 24)]
    assert [(each.size, each.cut) for each in reader.read(TEXTS[3:], cut=False)] == [(tokens, 0)]


def test_the_mean_of_token_vectors_is_the_vector(encoder):
    reader = EncoderReader(encoder)
    read = reader.read(TEXTS, cut=False)
    means = np.stack([states.mean(0) for states in reader.embed_tokens(read)])
    assert np.allclose(means, reader.embed(read), atol=1e-5)


def test_tokens_have_their_characters(encoder):
    spans = EncoderReader(encoder).token_spans(["the b"], special=True)[0]
    assert [(token.piece, token.span) for token in spans] == [
        ("[CLS]", None),
        ("the", (0, 3)),
        ("b", (4, 5)),
        ("[SEP]", None),
    ]
    assert [token.piece for token in EncoderReader(encoder).token_spans(["the b"], special=False)[0]] == ["the", "b"]


def test_the_fingerprint_tells_weights_and_pooling_apart(encoder, tmp_path):
    same, changed = tiny_encoder(tmp_path / "same"), tiny_encoder(tmp_path / "max", "max")
    prints = {EncoderReader(each).fingerprint() for each in (encoder, same, changed)}
    assert len(prints) == 2
