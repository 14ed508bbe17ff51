"""LangChain's standard tests of embeddings, a retriever over our vectors, and what is said without LangChain."""

import pickle
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from tests.retrieval.small_index import two_prompts

from wordworth import embed
from wordworth.errors import BadInput, LongTextWarning, MissingExtra, ZeroVectorWarning
from wordworth.models.load import load

pytestmark = pytest.mark.peers
core = pytest.importorskip("langchain_core", reason="langchain-core is not installed")
standard = pytest.importorskip("langchain_tests", reason="langchain-tests is not installed")

from langchain_core.vectorstores import InMemoryVectorStore  # noqa: E402 - skipped where it is missing
from langchain_tests.integration_tests import EmbeddingsIntegrationTests  # noqa: E402
from langchain_tests.unit_tests import EmbeddingsUnitTests  # noqa: E402

from wordworth.integrations.langchain import WordworthEmbeddings  # noqa: E402

TEXTS = ["the film was really good", "we was bored in the hotel", "", "a lovely dinner and a song"]


class _Encoder:
    @pytest.fixture(autouse=True)
    def _folder(self, tiny_folder):
        self.folder = tiny_folder

    @property
    def embeddings_class(self):
        return WordworthEmbeddings

    @property
    def embedding_model_params(self):
        return {"model": self.folder}


class TestUnitTestsOfAnEncoder(_Encoder, EmbeddingsUnitTests):
    pass


class TestIntegrationTestsOfAnEncoder(_Encoder, EmbeddingsIntegrationTests):
    pass


class TestIntegrationTestsOfAStaticTable(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self):
        return WordworthEmbeddings

    @property
    def embedding_model_params(self):
        return {"model": "glove", "normalize": True}


def test_the_vectors_are_those_of_the_encoder(tiny_folder):
    embeddings = WordworthEmbeddings(tiny_folder)
    assert np.array_equal(embeddings.embed_documents(TEXTS), load(tiny_folder).encode(TEXTS).astype(float))
    assert embeddings.embed_query(TEXTS[0]) == embeddings.embed_documents(TEXTS)[0]
    assert embeddings.embed_documents([]) == []


def test_queries_in_threads_leave_the_filters_of_warnings_alone():
    embeddings, before = WordworthEmbeddings("glove"), list(warnings.filters)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(embeddings.embed_query, ["the film", "a song"] * 50))
    assert list(warnings.filters) == before


def test_normalized_vectors_have_length_one_but_for_texts_without_a_known_word():
    embeddings = WordworthEmbeddings("glove", normalize=True)
    with pytest.warns(ZeroVectorWarning, match="2 of 4 texts"):
        vectors = np.array(embeddings.embed_documents([*TEXTS[:2], "", "qzxqzx"]))
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 1, 0, 0], atol=1e-6)


def test_a_retriever_finds_the_text_that_says_the_same():
    store = InMemoryVectorStore.from_texts(
        ["The hotel had a pool.", "Stock prices fell today.", "The singer lost her voice."],
        WordworthEmbeddings("glove"),
    )
    found = store.as_retriever(search_kwargs={"k": 1}).invoke("shares and the market")
    assert found[0].page_content == "Stock prices fell today."


def test_a_store_of_the_vectors_of_a_file_answers_as_one_that_embeds(tiny_folder, tmp_path):
    embed([text for text in TEXTS if text], tmp_path / "v.parquet", model=tiny_folder, dtype="float32")
    embedded, embeddings = pd.read_parquet(tmp_path / "v.parquet"), WordworthEmbeddings(tiny_folder)
    texts = [text for text in TEXTS if text]
    stored, embedding = InMemoryVectorStore(embeddings), InMemoryVectorStore.from_texts(texts, embeddings)
    for row, vector, text in zip(embedded["id"], embedded["vector"], texts, strict=True):
        stored.store[str(row)] = {"id": str(row), "vector": vector.tolist(), "text": text, "metadata": {}}
    found, wanted = (store.similarity_search_with_score("a good dinner", k=3) for store in (stored, embedding))
    assert [document.page_content for document, _ in found] == [document.page_content for document, _ in wanted]
    assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in wanted], abs=1e-5)


def test_a_pickle_holds_the_settings_and_not_the_weights(tiny_folder):
    embeddings = WordworthEmbeddings(tiny_folder, normalize=True)
    kept = pickle.dumps(embeddings)
    assert len(kept) < 1000
    restored = pickle.loads(kept)  # noqa: S301 - our own
    assert restored.embed_documents(TEXTS) == embeddings.embed_documents(TEXTS)


def test_long_texts_give_a_warning_at_the_callers_line_unless_it_was_said_how_to_read_them(tiny_folder):
    long = "the cab a bab " * 200
    with pytest.warns(LongTextWarning, match="tokens at once") as caught:
        windowed = WordworthEmbeddings(tiny_folder).embed_documents([long])
    assert [warning.filename for warning in caught] == [__file__]
    assert WordworthEmbeddings(tiny_folder, long_texts="window").embed_documents([long]) == windowed
    assert WordworthEmbeddings(tiny_folder, long_texts="cut").embed_documents([long]) != windowed
    with pytest.raises(BadInput, match="text 0"):
        WordworthEmbeddings(tiny_folder, long_texts="error").embed_documents([long])


def test_the_dtype_is_that_of_the_computation_and_goes_through_a_pickle(tiny_folder):
    embeddings = WordworthEmbeddings(tiny_folder, dtype="bfloat16", long_texts="cut")
    expected = load(tiny_folder, dtype="bfloat16").encode(TEXTS)
    assert np.array_equal(embeddings.embed_documents(TEXTS), expected.astype(float))
    restored = pickle.loads(pickle.dumps(embeddings))  # noqa: S301 - our own
    assert restored.embed_documents(TEXTS) == embeddings.embed_documents(TEXTS)
    assert (restored.dtype, restored.long_texts) == ("bfloat16", "cut")
    with pytest.raises(BadInput, match="float16"):
        WordworthEmbeddings(tiny_folder, dtype="float61")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"long_texts": "trim"}, "no way to read long texts 'trim'"),
        ({"normalize": "yes"}, "normalize is 'yes'; give True"),
    ],
)
def test_a_setting_that_is_none_of_its_choices_is_refused_at_once(settings, message):
    with pytest.raises(BadInput, match=message):
        WordworthEmbeddings("glove", **settings)


def test_documents_in_the_place_of_their_texts_are_refused_with_what_gives_the_texts():
    from langchain_core.documents import Document

    with pytest.raises(
        BadInput, match=r"not text; give the texts: \[document.page_content for document in documents\]"
    ):
        WordworthEmbeddings("glove").embed_documents([Document("a text")])


def test_a_model_that_is_not_there_is_refused_at_once():
    with pytest.raises(BadInput, match="did you mean 'minilm'"):
        WordworthEmbeddings("minlm")


def test_without_langchain_it_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "wordworth.integrations.langchain")
    monkeypatch.setitem(sys.modules, "langchain_core.embeddings", None)
    with pytest.raises(MissingExtra, match="pip install langchain-core"):
        import wordworth.integrations.langchain  # noqa: F401


def test_a_query_without_a_known_word_is_refused_and_a_text_for_documents_too():
    store = InMemoryVectorStore.from_texts(["the film was good", "a hotel"], WordworthEmbeddings("glove"))
    with pytest.raises(BadInput, match="glove knows no word of the query 'qxzqxz'"):
        store.similarity_search("qxzqxz", k=1)
    assert store.similarity_search("film", k=1)[0].page_content == "the film was good"
    with pytest.raises(BadInput, match="got a single text"):
        WordworthEmbeddings("glove").embed_documents("hello")


def test_the_device_is_that_of_load_and_goes_with_a_pickle():
    with pytest.raises(BadInput, match="device"):
        WordworthEmbeddings("mini", device="moon")
    copied = pickle.loads(pickle.dumps(WordworthEmbeddings("mini", device="auto")))  # noqa: S301 - made here
    assert copied.device == "auto"


def test_queries_and_documents_have_the_prompts_that_the_folder_names(tmp_path):
    folder = two_prompts(tmp_path / "tiny")
    embeddings, encoder = WordworthEmbeddings(str(folder)), load(folder)
    assert np.allclose(embeddings.embed_query("cab"), encoder.encode("the cab"), atol=1e-6)
    assert np.allclose(embeddings.embed_documents(["cab"]), encoder.encode(["a cab"]), atol=1e-6)
