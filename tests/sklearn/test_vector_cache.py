import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from wordworth.models.text_encoder import TextEncoder as Encoder
from wordworth.representations.feature_rung import NoCache
from wordworth.sklearn import TextEncoder, fitted_representation, vector_cache

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")


TEXTS = ["the film was good", "a dreadful book", "we really was quite bored", ""]


@pytest.fixture
def read(monkeypatch):
    """The texts that encoders read from here on, in a process that remembers none."""
    monkeypatch.setattr(fitted_representation, "MEMORY", vector_cache.VectorMemory())
    texts_read = []
    embed = Encoder.embed

    def recorded(self, texts, **options):
        texts_read.extend(texts)
        return embed(self, texts, **options)

    monkeypatch.setattr(Encoder, "embed", recorded)
    return texts_read


def test_an_encoder_reads_every_text_once_whatever_fold_it_is_in(tiny_folder, read, labelled):
    texts, labels = labelled
    texts = [f"{text} once" for text in texts]
    search = GridSearchCV(
        make_pipeline(TextEncoder(tiny_folder), LogisticRegression(C=10, max_iter=3000)),
        {"logisticregression__C": [0.1, 1]},
        cv=3,
    )
    search.fit(texts, labels)
    assert sorted(read) == sorted({*texts, *read[:1]})
    assert len(read) == len(set(texts))


def test_vectors_are_cached_on_disk_for_the_next_process(tiny_folder, read, monkeypatch):
    texts = [f"{text} cached" for text in TEXTS]
    first = TextEncoder(tiny_folder).fit_transform(texts)
    assert len(read) > 0
    monkeypatch.setattr(fitted_representation, "MEMORY", vector_cache.VectorMemory())
    read.clear()
    assert np.array_equal(TextEncoder(tiny_folder).fit_transform(texts), first)
    assert read == []


def test_a_full_memory_forgets_and_gives_the_same_vectors(tiny_folder, monkeypatch):
    expected = TextEncoder(tiny_folder).fit_transform(TEXTS)
    monkeypatch.setattr(fitted_representation, "MEMORY", vector_cache.VectorMemory(most_bytes=200))
    for _ in range(2):
        for number, text in enumerate(TEXTS):
            assert np.allclose(TextEncoder(tiny_folder).fit_transform([text, text]), expected[number], atol=1e-6)


def lengths_of(texts):
    """The vector of a text: its length, twice."""
    return np.array([[len(text)] * 2 for text in texts], dtype=np.float32).reshape(-1, 2)


@given(st.lists(st.lists(st.text("ab", max_size=3), max_size=5), max_size=6), st.sampled_from([8, 40, 10_000]))
def test_whatever_was_asked_before_and_forgotten_since_each_text_has_its_own_vector(calls, most):
    memory = vector_cache.VectorMemory(most_bytes=most)
    for texts in calls:
        vectors = memory.vectors(("model", "view"), tuple(texts), lengths_of, NoCache())
        assert np.array_equal(vectors, lengths_of(texts))


def test_a_text_is_computed_once_for_a_model_and_a_view_and_anew_for_another():
    memory, computed = vector_cache.VectorMemory(), []

    def compute(texts):
        computed.append(texts)
        return lengths_of(texts)

    for key in (("model", "view"), ("model", "view"), ("model", "other")):
        memory.vectors(key, ("a", "b", "a"), compute, NoCache())
    memory.vectors(("model", "view"), ("b", "c"), compute, NoCache())
    assert computed == [("a", "b"), ("a", "b"), ("c",)]


def test_vectors_that_would_exceed_the_memory_push_the_earlier_ones_out():
    memory, computed = vector_cache.VectorMemory(most_bytes=16), []  # two vectors of two float32

    def compute(texts):
        computed.append(texts)
        return lengths_of(texts)

    for text in "abacab":
        memory.vectors(("model",), (text,), compute, NoCache())
    assert computed == [("a",), ("b",), ("c",), ("a",), ("b",)]
