"""`doctor` of an address: a server of the same vectors passes, and the mistake of another one is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.serving.other_server import other_server

import wordworth as ww
from wordworth.errors import BadInput


@pytest.fixture(scope="module")
def mini():
    return ww.load("mini")


def checked(vectors_of, **options):
    """Check name -> whether it passed, and what it says."""
    with other_server(vectors_of, **options) as address:
        return {check.name: (check.passed, check.detail) for check in ww.doctor(address, against="mini")}


def pooled(encoder, *modes):
    return replace(encoder, head=replace(encoder.head, modes=modes)).encode


def test_a_server_of_the_same_vectors_passes_whatever_their_length(mini):
    checks = checked(lambda texts: 3 * mini.encode(texts, long_texts="window"))
    assert list(checks) == ["answers", "width", "batch", "vectors"]
    assert all(passed for passed, _ in checks.values())


def test_the_model_is_the_one_that_the_server_names(mini):
    with other_server(lambda texts: mini.encode(texts, long_texts="window")) as address:
        assert all(check.passed for check in ww.doctor(address))


@pytest.mark.parametrize(
    ("mistake", "cause"),
    [
        (lambda encoder: pooled(encoder, "cls"), "with another pooling, cls"),
        (lambda encoder: pooled(encoder, "max"), "with another pooling, max"),
        (lambda encoder: replace(encoder, prompt="query: ").encode, "with 'query: ' before each text"),
        (lambda encoder: replace(encoder, max_length=32).encode, "of texts cut after 32 tokens"),
    ],
)
def test_the_mistake_of_a_server_is_named(mini, mistake, cause):
    encode = mistake(mini)
    checks = checked(lambda texts: encode(list(texts), long_texts="cut"))
    assert checks["vectors"][0] is False
    assert checks["vectors"][1].endswith(f"; the server computes {cause}")
    assert checks["batch"][0]


def test_another_model_is_said_to_be_one(mini):
    rng = np.random.default_rng(0)
    other = rng.normal(size=(1_000, mini.width))
    checks = checked(lambda texts: [other[sum(map(ord, text)) % 1_000] for text in texts])
    assert checks["vectors"] == (False, checks["vectors"][1])
    assert checks["vectors"][1].endswith("; it is another model, or does something that is not known here")


def test_a_batch_in_another_order_is_seen(mini):
    checks = checked(lambda texts: mini.encode(texts, long_texts="window")[::-1])
    assert checks["batch"][0] is False
    assert checks["batch"][1].endswith("the vectors of a batch come in another order than its texts")
    assert checks["vectors"][0]


def test_a_batch_that_spoils_its_vectors_is_seen(mini):
    rng = np.random.default_rng(0)

    def spoilt(texts):
        vectors = mini.encode(texts, long_texts="window")
        return vectors + (len(texts) > 1) * rng.normal(0, np.abs(vectors).mean(), vectors.shape)

    assert checked(spoilt)["batch"][0] is False


def test_vectors_of_zeros_are_told_from_vectors(mini):
    checks = checked(lambda texts: np.zeros((len(texts), mini.width)))
    assert checks["answers"][0] is False
    assert "16 of them are all zeros, as 8-bit vectors" in checks["answers"][1]


def test_vectors_of_another_width_are_not_compared(mini):
    checks = checked(lambda texts: mini.encode(texts, long_texts="window")[:, :7])
    assert list(checks) == ["answers", "width"]
    assert checks["width"] == (False, f"7 numbers, and those of mini have {mini.width}")


def test_options_of_a_server_are_refused_for_a_checkpoint():
    with pytest.raises(BadInput, match="`against`: this is for a server; leave it out, or give a server's address"):
        ww.doctor("mini", against="minilm")


def test_a_server_that_names_no_model_needs_one_to_compare_with(mini):
    with (
        other_server(mini.encode, models=()) as address,
        pytest.raises(BadInput, match="the server names no model; say what it should have with `against`"),
    ):
        ww.doctor(address)
