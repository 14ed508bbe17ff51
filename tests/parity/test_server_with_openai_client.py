"""OpenAI's own client on our server: both encodings, errors, and the vectors of the library."""

import numpy as np
import pytest
from tests.serving.real_server import real_server

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.sources import resolve

openai = pytest.importorskip("openai")
pytestmark = pytest.mark.peers
TEXTS = ["a short text", "", "Un café crème, s'il vous plaît!", "word " * 700]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    try:
        resolve("minilm")
    except BadInput as error:
        pytest.skip(str(error))
    keys = tmp_path_factory.mktemp("keys") / "keys"
    keys.write_text("sesame\n")
    with (
        real_server("minilm", "--api-key-file", str(keys)) as server,
        openai.OpenAI(base_url=f"{server.address}/v1", api_key="sesame", max_retries=0) as made,
    ):
        yield made


@pytest.mark.parametrize("encoding", [{}, {"encoding_format": "float"}, {"encoding_format": "base64"}])
def test_vectors_are_those_of_the_library(client, encoding):
    answer = client.embeddings.create(input=TEXTS, model="minilm", **encoding)
    vectors = [each.embedding for each in answer.data]
    if encoding.get("encoding_format") == "base64":
        import base64

        vectors = [np.frombuffer(base64.b64decode(each), "<f4") for each in vectors]
    encoder = ww.load("minilm")
    assert np.allclose(vectors, encoder.encode(TEXTS, long_texts="window"), atol=1e-5)
    assert answer.usage.prompt_tokens == sum(map(len, encoder.tokenizer.ids(TEXTS)))
    assert [each.index for each in answer.data] == list(range(len(TEXTS)))


def test_dimensions_keep_vectors_at_length_one(client):
    vector = np.array(client.embeddings.create(input="a", model="minilm", dimensions=64).data[0].embedding)
    assert vector.shape == (64,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_the_client_raises_its_own_errors(client):
    with pytest.raises(openai.NotFoundError, match="text-embedding-3-small"):
        client.embeddings.create(input="a", model="text-embedding-3-small")
    with pytest.raises(openai.UnprocessableEntityError, match="token ids"):
        client.embeddings.create(input=[1, 2, 3], model="minilm")
    with pytest.raises(openai.AuthenticationError):
        client.with_options(api_key="wrong").embeddings.create(input="a", model="minilm")
    assert [each.id for each in client.models.list()] == ["minilm"]
