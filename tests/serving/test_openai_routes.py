"""OpenAI's routes over a tiny encoder: vectors of the library, alone and in any company (checks S15, S16 and S30)."""

import base64

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.serving.served import WORDS, ask, ask_all, served, tiny_encoder

POOLINGS = ("mean", "cls", "max", "last")
TEXTS = st.lists(st.text("abs the!", max_size=80) | st.sampled_from(WORDS), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def encoders(tmp_path_factory):
    base = tmp_path_factory.mktemp("encoders")
    return {mode: tiny_encoder(base / mode, mode) for mode in POOLINGS}


@pytest.fixture(scope="module")
def apps(encoders):
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield {mode: stack.enter_context(served(each)) for mode, each in encoders.items()}


def vectors(answer):
    assert answer.status_code == 200, answer.text
    return np.array([each["embedding"] for each in answer.json()["data"]], np.float32)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(requests=st.lists(TEXTS, min_size=1, max_size=6), mode=st.sampled_from(POOLINGS))
def test_a_vector_is_the_same_alone_in_a_batch_among_other_requests_and_from_the_library(
    apps, encoders, requests, mode
):
    together = ask_all(apps[mode], [("/v1/embeddings", {"input": texts}) for texts in requests])
    for texts, answer in zip(requests, together, strict=True):
        wanted = encoders[mode].encode(texts, long_texts="window")
        assert np.allclose(vectors(answer), wanted, atol=1e-5)
        assert np.allclose(vectors(ask(apps[mode], "/v1/embeddings", {"input": texts[0]}))[0], wanted[0], atol=1e-5)
        assert [each["index"] for each in answer.json()["data"]] == list(range(len(texts)))


def test_usage_is_the_tokenizers_count(apps, encoders):
    texts = ["the cab", "", "a b " * 30]
    body = ask(apps["mean"], "/v1/embeddings", {"input": texts}).json()
    lengths = [len(ids) for ids in encoders["mean"].tokenizer.ids(texts)]
    assert [each["tokens"] for each in body["data"]] == lengths
    assert body["usage"] == {"prompt_tokens": sum(lengths), "total_tokens": sum(lengths)}


def test_base64_is_the_list_of_floats(apps):
    body = {"input": ["the cab", "zebra"]}
    floats = vectors(ask(apps["mean"], "/v1/embeddings", body))
    coded = ask(apps["mean"], "/v1/embeddings", {**body, "encoding_format": "base64"}).json()["data"]
    assert np.array_equal(floats, [np.frombuffer(base64.b64decode(each["embedding"]), "<f4") for each in coded])


def test_dimensions_cut_a_vector(apps):
    whole = vectors(ask(apps["mean"], "/v1/embeddings", {"input": "the cab"}))
    assert np.array_equal(
        whole[:, :8], vectors(ask(apps["mean"], "/v1/embeddings", {"input": "the cab", "dimensions": 8}))
    )


def test_cut_texts_say_so(encoders):
    long = "a b " * 30
    with served(encoders["mean"], long_texts="cut") as app:
        answer = ask(app, "/v1/embeddings", {"input": ["a", long]})
    tokens = len(encoders["mean"].tokenizer.ids([long])[0])
    assert [(each["tokens"], each["cut_tokens"]) for each in answer.json()["data"]] == [(3, 0), (24, tokens - 24)]
    assert answer.headers["x-cut-tokens"] == str(tokens - 24)
    assert np.allclose(vectors(answer), encoders["mean"].encode(["a", long], long_texts="cut"), atol=1e-5)


def test_the_model_is_listed_and_another_is_refused(apps):
    listed = ask(apps["mean"], "/v1/models").json()["data"]
    assert [each["id"] for each in listed] == ["mean"]
    assert ask(apps["mean"], "/v1/embeddings", {"input": "a", "model": "mean"}).status_code == 200
    refused = ask(apps["mean"], "/v1/embeddings", {"input": "a", "model": "text-embedding-3-small"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")


def test_every_answer_has_the_fingerprint(apps):
    prints = {mode: ask(app, "/v1/models").headers["x-model-fingerprint"] for mode, app in apps.items()}
    assert len(set(prints.values())) == len(POOLINGS)
