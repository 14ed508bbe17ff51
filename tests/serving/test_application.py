"""The application: errors in the form of the route's API, deadlines, and what fails inside."""

import asyncio
import gzip
import json
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.serving.served import ask, ask_all, served, tiny_encoder

from wordworth.serving.application import app as make_app
from wordworth.serving.encoder_adapter import EncoderReader

FIELDS = [
    "input",
    "inputs",
    "model",
    "dimensions",
    "encoding_format",
    "normalize",
    "truncate",
    "source_sentence",
    "sentences",
]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("application") / "tiny")


@pytest.fixture(scope="module")
def app(encoder):
    with served(encoder) as made:
        yield made


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b'{"input": NaN}', b'{"inputs": Infinity}'])
def test_what_is_no_json_has_an_error_in_either_form(app, body):
    openai, tei = ask(app, "/v1/embeddings", body), ask(app, "/embed", body)
    assert (openai.status_code, tei.status_code) == (400, 400)
    assert openai.json()["error"]["code"] == "malformed_json"
    assert "JSON" in tei.json()["error"]


def test_a_body_that_is_empty_or_compressed_is_called_that(app):
    assert ask(app, "/embed", b" ").json()["error"] == "the body is empty: it must be JSON in UTF-8"
    answer = ask(app, "/embed", gzip.compress(b'{"inputs": "a"}'), {"content-encoding": "gzip"})
    assert (answer.status_code, "encoded as 'gzip'" in answer.json()["error"]) == (400, True)
    assert ask(app, "/embed", b'{"inputs": "a"}', {"content-encoding": "identity"}).status_code == 200


def test_a_path_or_method_that_is_none_is_said(app):
    assert ask(app, "/v1/completions", {}).json()["error"]["code"] == "unknown_url"
    assert ask(app, "/v1/embeddings").status_code == 405
    assert ask(app, "/nothing").json()["error_type"] == "Validation"


@pytest.mark.parametrize("seconds", ["nan", "-1", "0", "soon", "inf"])
def test_a_deadline_that_is_none_is_refused(app, seconds):
    answer = ask(app, "/embed", {"inputs": "a"}, {"x-request-timeout": seconds})
    assert (answer.status_code, "x-request-timeout" in answer.json()["error"]) == (422, True)


def test_a_deadline_that_passes_is_said(app):
    answer = ask(app, "/v1/embeddings", {"input": "a"}, {"x-request-timeout": "0.0000001"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "deadline_passed")


def test_a_bug_is_an_error_without_our_insides_and_the_server_goes_on(encoder, monkeypatch):
    def fail(_, texts):
        if len(texts) == 2:
            raise RuntimeError("secret detail")
        return encoder.embed_tokens([text.tokens for text in texts]).vectors

    with served(encoder) as app:
        monkeypatch.setattr(EncoderReader, "embed", fail)
        answer = ask(app, "/v1/embeddings", {"input": ["a", "b"]})
        assert (answer.status_code, "secret" in answer.text) == (500, False)
        assert ask(app, "/v1/embeddings", {"input": "a"}).status_code == 200


def test_a_lone_surrogate_has_an_answer(app):
    assert ask(app, "/embed", b'{"inputs": "\\ud800"}').status_code in {200, 400}


def test_an_application_of_a_name_is_ready_at_once(encoder):
    app = make_app(encoder)

    async def shut_down():
        async with app.router.lifespan_context(app):
            pass

    assert ask(app, "/health").status_code == 200
    asyncio.run(shut_down())


def test_no_page_of_another_origin_is_let_in(app):
    answer = ask(app, "/embed", {"inputs": "a"}, {"origin": "https://elsewhere.example"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_server_of_vectors_starts_without_what_only_predictions_need():
    code = (
        "import sys, wordworth.serving.application; print({'scipy', 'pandas', 'wordworth.tasks.task'} & {*sys.modules})"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(body=st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, VALUES)) | VALUES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_json_comes_is_answered_or_refused_with_its_reason(app, body):
    paths = [f"/{name}" for name in ("v1/embeddings", "embed", "embed_all", "similarity", "predict", "tokenize")]
    for answer in ask_all(app, [(path, json.dumps(body).encode()) for path in paths]):
        assert answer.status_code in {200, 400, 404, 413, 422, 424}
        assert answer.status_code == 200 or "error" in answer.json()
