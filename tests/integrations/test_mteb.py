"""A user's CSV as a task of MTEB, evaluated offline by our model and by sentence-transformers from the same folder."""

import socket
import sys

import numpy as np
import pandas as pd
import pytest

from scripts import small_inputs
from wordworth.errors import BadInput, MissingExtra
from wordworth.models.load import load
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("default")]  # of MTEB and what it imports, not ours
mteb = pytest.importorskip("mteb", reason="mteb is not installed", exc_type=ImportError)

from mteb.models import EncoderProtocol  # noqa: E402 - skipped where it is missing

from wordworth.integrations.mteb import MtebModel, csv_task, task_of  # noqa: E402


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    small_inputs.write(folder)
    return folder


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("the network was used"))


def score(model, task):
    return mteb.evaluate(model, task, cache=None, show_progress_bar=False).task_results[0].get_score()


def test_our_model_scores_what_sentence_transformers_scores_on_a_csv(files, tiny_folder):
    peer = pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    ours = score(MtebModel(tiny_folder), csv_task(files / "reviews.csv", text="text", label="label"))
    theirs = score(
        peer.SentenceTransformer(tiny_folder, device="cpu"), csv_task(files / "reviews.csv", text="text", label="label")
    )
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert 1 / 3 < ours < 1


def test_numbers_are_a_regression(files):
    task = csv_task(files / "ratings.csv", text="text", label="rating", kind="regression")
    assert task.metadata.main_score == "kendalltau"
    assert score(MtebModel("glove"), task) > 0.3


def test_mteb_tests_on_the_rows_that_worth_tests_on(files):
    ours = read_task(files / "reviews.csv", ReadSettings(text="text", label="label"))
    made = csv_task(files / "reviews.csv", text="text", label="label")
    assert list(made.dataset["test"]["text"]) == [ours.examples.first[row] for row in ours.test]
    assert list(made.dataset["train"]["label"]) == ours.labels[ours.train].tolist()
    assert made.metadata.name == "Reviews"
    assert csv_task(files / "reviews.csv", name="Mine").metadata.name == "Mine"


def test_a_table_in_memory_is_the_task_of_its_file(files):
    frame = pd.read_csv(files / "reviews.csv")
    made = csv_task(frame, text="text", label="label")
    of_file = csv_task(files / "reviews.csv", text="text", label="label")
    for part in ("train", "test"):
        assert sorted(made.dataset[part]["text"]) == sorted(of_file.dataset[part]["text"])
    assert made.metadata.name == "TheTable"
    with pytest.raises(BadInput, match="expected the path of a file or a table, got int"):
        csv_task(5)


def test_the_model_keeps_the_protocol_of_mteb(tiny_folder):
    model = MtebModel(tiny_folder)
    assert isinstance(model, EncoderProtocol)
    texts = ["the film was good", "", "we was bored"]
    vectors = model.encode([{"text": texts[:2]}, {"text": texts[2:]}], task_metadata=None)
    assert np.array_equal(vectors, load(tiny_folder).encode(texts))
    assert np.allclose(np.diag(model.similarity(vectors, vectors)), model.similarity_pairwise(vectors, vectors))
    meta = model.mteb_model_meta
    assert (meta.name, meta.embed_dim, meta.max_tokens) == ("wordworth/tiny", 32, 96)
    assert meta.revision != MtebModel("glove").mteb_model_meta.revision


def test_what_is_no_task_of_one_text_and_one_label_is_refused(files):
    pairs = read_task(files / "pairs.csv", ReadSettings(text="text", text_b="second", label="label"))
    with pytest.raises(BadInput, match="has no counterpart here; give texts with one class or one number each"):
        task_of(pairs)


def test_without_mteb_it_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "wordworth.integrations.mteb")
    monkeypatch.setitem(sys.modules, "mteb", None)
    with pytest.raises(MissingExtra, match=r"pip install mteb, .*\[mteb\]"):
        import wordworth.integrations.mteb  # noqa: F401
