"""A static table that is saved and loaded again gives the same vectors, whatever it was read from."""

import numpy as np
import pytest
from tests.models.static.test_subword_tables import model2vec

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.static.read_static_table import read_static
from wordworth.models.static_embeddings import StaticTable, TokenRows

TEXTS = ["the film was good", "The unfilmable film, of 1922!", "a café"]


@pytest.mark.parametrize("name", ["glove", "wordllama"])
def test_a_table_of_words_or_subwords_is_the_same_table_again(name, tmp_path):
    table = ww.load(name)
    table.save(tmp_path / "copy")
    again = ww.load(tmp_path / "copy")
    assert np.array_equal(again.encode(TEXTS), table.encode(TEXTS))
    assert np.array_equal(again.word_vectors(["film"])[0], table.word_vectors(["film"])[0])
    assert (again.width, again.by_frequency, again.normalised) == (table.width, table.by_frequency, table.normalised)


@pytest.mark.parametrize("normalize", [True, False])
def test_mappings_weights_and_the_length_of_vectors_are_kept(normalize, tmp_path):
    (tmp_path / "own").mkdir()
    tensors = {
        "embeddings": np.arange(12, dtype=np.float32).reshape(4, 3),
        "mapping": np.array([0, 3, 2, 1, 0]),
        "weights": np.array([1, 1, 2, 1, 1], np.float32),
    }
    table = read_static(model2vec(tmp_path / "own", normalize=normalize, tensors=tensors))
    table.save(tmp_path / "copy")
    assert np.array_equal(read_static(str(tmp_path / "copy")).encode(TEXTS[:1]), table.encode(TEXTS[:1]))


@pytest.mark.peers
def test_model2vec_reads_a_saved_table(tmp_path):
    peer = pytest.importorskip("model2vec")
    (tmp_path / "own").mkdir()
    table = read_static(model2vec(tmp_path / "own"))
    table.save(tmp_path / "copy")
    assert peer.StaticModel.from_pretrained(tmp_path / "copy").encode(TEXTS[:1]) == pytest.approx(
        table.encode(TEXTS[:1]), abs=1e-6
    )


def test_a_lookup_that_is_not_ours_and_a_file_in_the_way_are_refused(tmp_path):
    class Other:
        def find(self, texts):
            return TokenRows.of([[] for _ in texts])

    with pytest.raises(BadInput, match="a lookup of type Other cannot be saved"):
        StaticTable("mine", np.zeros((1, 2), np.float32), Other()).save(tmp_path / "out")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="a file, not a folder"):
        ww.load("glove").save(tmp_path / "file")
