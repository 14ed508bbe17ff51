"""Limits of a service."""

import pytest
from tests.inference.test_rung_predictor import in_folder
from tests.serving.served import ask, served, tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("service") / "tiny")


@pytest.mark.parametrize(
    ("settings", "texts", "status"),
    [
        ({"max_texts": 2}, ["a"] * 3, 413),
        ({"max_text_tokens": 10}, ["a", "a b " * 30], 422),
        ({"max_body_bytes": 100}, ["a" * 200], 413),
        ({"max_body_bytes": 100}, ["a" * 2000], 413),
        ({"long_texts": "error"}, ["a b " * 30], 422),
    ],
)
def test_what_is_over_a_limit_is_refused_and_the_limit_named(encoder, settings, texts, status):
    with served(encoder, **settings) as app:
        answer = ask(app, "/v1/embeddings", {"input": texts})
        assert answer.status_code == status
        assert any(str(value) in answer.json()["error"]["message"] for value in (*settings.values(), 24))
        assert ask(app, "/v1/embeddings", {"input": "a"}).status_code == 200


def test_a_long_text_may_be_cut_where_it_is_too_long_to_be_read(encoder):
    with served(encoder, max_text_tokens=30) as app:
        assert ask(app, "/embed", {"inputs": "a b " * 60}).status_code == 422
        assert ask(app, "/embed", {"inputs": "a b " * 60, "truncate": True}).status_code == 200


def test_a_text_that_cannot_be_cut_is_to_be_shortened(tmp_path):
    with served(in_folder(tmp_path), max_text_tokens=10) as app:
        answer = ask(app, "/predict", {"inputs": "a b " * 60})
    assert (answer.status_code, answer.json()["error_type"]) == (422, "Validation")
    assert answer.json()["error"].endswith("this server reads 10: shorten it")
