"""LangChain's, LlamaIndex's and LiteLLM's clients of OpenAI's API on our server: the vectors of the library."""

import json
import subprocess
import sys

import numpy as np
import pytest
from tests.serving.real_server import real_server
from tests.serving.served import tiny_encoder

import wordworth as ww

pytestmark = pytest.mark.peers
TEXTS = ["a bad cab", "the zebra", "it's sass"]
ENCODINGS = ["float", "base64"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clients") / "tiny"
    tiny_encoder(folder)
    keys = folder.parent / "keys"
    keys.write_text("sesame\n")
    with real_server(folder, "--api-key-file", str(keys)) as made:
        yield f"{made.address}/v1", ww.load(folder).encode(TEXTS)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_langchain(server, encoding):
    langchain_openai = pytest.importorskip("langchain_openai")
    address, expected = server
    client = langchain_openai.OpenAIEmbeddings(
        model="tiny",
        base_url=address,
        api_key="sesame",
        check_embedding_ctx_length=False,
        model_kwargs={"encoding_format": encoding} if encoding == "float" else {},
    )
    assert np.allclose(client.embed_documents(TEXTS), expected, atol=1e-5)
    assert np.allclose(client.embed_query(TEXTS[0]), expected[0], atol=1e-5)


def test_langchain_reads_which_switch_lets_it_send_texts(server):
    langchain_openai = pytest.importorskip("langchain_openai")
    openai = pytest.importorskip("openai")
    client = langchain_openai.OpenAIEmbeddings(model="tiny", base_url=server[0], api_key="sesame", max_retries=0)
    client.tiktoken_enabled = True
    with pytest.raises(openai.UnprocessableEntityError, match="check_embedding_ctx_length=False"):
        client.client.create(input=[[1, 2]], model="tiny")


def test_llama_index(server):
    pytest.importorskip("llama_index.embeddings.openai_like")
    assert np.allclose(_in_a_process(LLAMA_INDEX, server[0]), server[1], atol=1e-5)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_litellm(server, encoding):
    pytest.importorskip("litellm")
    assert np.allclose(_in_a_process(LITELLM, server[0], encoding), server[1], atol=1e-5)


LLAMA_INDEX = """
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
client = OpenAILikeEmbedding(model_name="tiny", api_base=address, api_key="sesame")
vectors = client.get_text_embedding_batch(texts)
"""
LITELLM = """
import base64, os
from array import array
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # or it asks the network for prices, three times
import litellm
answer = litellm.embedding("openai/tiny", texts, api_base=address, api_key="sesame", encoding_format=options[0])
vectors = [each["embedding"] for each in answer.data]
vectors = [list(array("f", base64.b64decode(each))) if isinstance(each, str) else each for each in vectors]
"""


def _in_a_process(program, address, *options):
    """The vectors of a client that warns, or changes its process, when it is imported."""
    begin = "import json, sys\naddress, texts, *options = json.loads(sys.argv[1])\n"
    command = [sys.executable, "-c", f"{begin}{program}\nprint(json.dumps(vectors))"]
    done = subprocess.run(
        [*command, json.dumps([address, TEXTS, *options])], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])
