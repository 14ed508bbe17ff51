"""A partition's vectors are those of the library, wherever a data set is cut."""

import numpy as np
import pyarrow as pa
import pytest
from tests.models.tiny import write_prompts
from tests.serving.served import tiny_encoder

import wordworth as ww
from wordworth.errors import NotFound
from wordworth.inference.embed_settings import EmbedSettings
from wordworth.inference.encode_partition import encode_partition

TEXTS = ["a bad cab", "", None, "the zebra " * 40, "it's sass"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("partition") / "tiny"


@pytest.fixture(scope="module")
def encoder(folder):
    return tiny_encoder(folder)


@pytest.fixture(scope="module")
def settings(encoder, folder):  # noqa: ARG001 - the encoder lies in the folder
    return EmbedSettings(model=str(folder), text="body", dtype="float32")


def table(texts):
    return pa.table({"body": pa.array(texts, pa.string()), "row": list(range(len(texts)))})


def test_a_table_keeps_its_columns_and_gets_the_vectors_of_its_texts(encoder, settings):
    done = encode_partition(table(TEXTS), settings)
    assert done.column_names == ["body", "row", "vector"]
    assert done.select(["body", "row"]).equals(table(TEXTS))
    expected = encoder.encode([text or "" for text in TEXTS], long_texts="window")
    assert np.allclose(done["vector"].to_pylist(), expected, atol=1e-6)
    assert encode_partition(done, settings).equals(done)


def test_it_matters_not_where_a_data_set_is_cut(settings):
    whole = encode_partition(table(TEXTS), settings)["vector"].to_pylist()
    parts = [encode_partition(table(TEXTS[start : start + 2]), settings) for start in (0, 2, 4)]
    assert np.allclose([vector for part in parts for vector in part["vector"].to_pylist()], whole, atol=1e-6)
    assert encode_partition(table([]), settings).num_rows == 0


def test_a_table_without_the_column_is_refused(settings):
    with pytest.raises(NotFound, match="column 'body' not found"):
        encode_partition(pa.table({"text": ["a"]}), settings)


def test_a_static_table_is_an_encoder_too():
    done = encode_partition(pa.table({"text": ["a film"]}), EmbedSettings(model="glove"))
    assert np.array_equal(done["vector"][0].as_py(), ww.load("glove").encode("a film"))


def test_a_prompt_of_a_name_stands_before_each_text(tmp_path):
    encoder = tiny_encoder(tmp_path / "tiny")
    write_prompts(tmp_path / "tiny", {"query": "the "})
    settings = EmbedSettings(model=str(tmp_path / "tiny"), text="body", dtype="float32", prompt="query")
    done = encode_partition(table(["cab", None]), settings)
    assert np.allclose(done["vector"].to_pylist(), encoder.encode(["the cab", "the "]), atol=1e-6)
