"""Bodies of requests: what is no such body is refused with the field that is wrong."""

import pytest

from wordworth.serving.request_bodies import (
    EmbedBody,
    EmbeddingsBody,
    SimilarityBody,
    decode,
    require_dimensions,
    require_texts,
)
from wordworth.serving.request_errors import Refusal


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"input": NaN}', b'{"input": "\xff"}', b'{"input": "a"} x', b'{"input": ' + b"[" * 100_000]
)
def test_what_is_no_json_is_malformed(body):
    with pytest.raises(Refusal) as refused:
        decode(body, EmbeddingsBody)
    assert refused.value.kind == "malformed"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{}", "input"),
        (b'{"input": "a", "encoding_format": "hex"}', "encoding_format"),
        (b'{"input": "a", "dimensions": "8"}', "dimensions"),
        (b'{"input": "a", "dimensions": 8.5}', "dimensions"),
    ],
)
def test_a_wrong_field_is_named(body, param):
    with pytest.raises(Refusal) as refused:
        decode(body, EmbeddingsBody)
    assert (refused.value.kind, refused.value.param) == ("invalid", param)


def test_the_choices_of_a_field_are_listed():
    with pytest.raises(Refusal, match=r"Invalid enum value 'int8' - at `.*`; give float or base64"):
        decode(b'{"input": "a", "encoding_format": "int8"}', EmbeddingsBody)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (EmbedBody, b'{"inputs": "a", "truncation_direction": "Left"}'),
        (SimilarityBody, b'{"inputs": {}, "parameters": {"truncation_direction": "Left"}}'),
    ],
)
def test_texts_are_cut_at_their_end_alone(kind, body):
    with pytest.raises(Refusal, match=r"'Left' .*; give Right or right$") as refused:
        decode(body.replace(b"{}", b'{"source_sentence": "a", "sentences": ["b"]}'), kind)
    assert refused.value.param.endswith("truncation_direction")


def test_a_field_within_another_is_named():
    with pytest.raises(Refusal) as refused:
        decode(b'{"inputs": {"source_sentence": "a", "sentences": ["b", 3]}}', SimilarityBody)
    assert refused.value.param.startswith("inputs.sentences")


def test_further_fields_are_let_pass():
    assert decode(b'{"input": "a", "user": "me", "more": [1]}', EmbeddingsBody).input == "a"


def test_texts_are_one_or_a_list():
    assert require_texts("a", "input") == (["a"], False)
    assert require_texts(["a", ""], "input") == (["a", ""], True)


@pytest.mark.parametrize("value", [[1, 2], [[1, 2]], ["a", 3], [[]]])
def test_token_ids_are_refused_and_the_client_hears_of_its_switch(value):
    with pytest.raises(Refusal, match="check_embedding_ctx_length=False") as refused:
        require_texts(value, "input")
    assert refused.value.status == 422


@pytest.mark.parametrize("value", [3, None, {"a": 1}, ["a", None], [True], [["a", "b"]]])
def test_what_is_no_text_is_refused(value):
    with pytest.raises(Refusal, match="input"):
        require_texts(value, "input")


@pytest.mark.parametrize("dimensions", [0, -1, 33])
def test_a_vector_has_no_more_dimensions_than_it_has(dimensions):
    assert require_dimensions(None, 32) == require_dimensions(32, 32) == 32
    with pytest.raises(Refusal, match="32 numbers"):
        require_dimensions(dimensions, 32)


@pytest.mark.parametrize("body", [b'{"input": "\\ud800"}', b'{"input": "\\udc00"}', b'{"input": "\\ud800 a"}'])
def test_half_of_a_surrogate_pair_is_called_that(body):
    with pytest.raises(Refusal, match="half of a surrogate pair"):
        decode(body, EmbeddingsBody)


def test_a_truncated_body_is_called_truncated():
    with pytest.raises(Refusal, match="truncated"):
        decode(b'{"input": "a', EmbeddingsBody)
