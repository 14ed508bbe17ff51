"""The vectors of a corpus are kept, found again to the bit, and never taken for those of something else."""

import json

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.studies.neighbours.corpus_vector_cache import cached_vectors
from wordworth.studies.neighbours.corpus_word_vectors import WordVectors
from wordworth.studies.neighbours.tagged_text import plain_text

TEXTS = [plain_text("the cat"), plain_text("too long"), plain_text("a dog")]
IDENTITY = {"format": 1, "model": "abc", "layer": 2, "head": 1}


def vectors(*, attended=True):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(4, 3)).astype(np.float32)
    places = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    seen = np.array([1, -1, 0, 0]) if attended else None
    return WordVectors((TEXTS[0], TEXTS[2]), *places, values, values + 1, seen), values + 2


def refused():
    raise AssertionError("the corpus was read again")


@pytest.mark.parametrize("attended", [True, False])
def test_what_was_kept_is_found_again_to_the_bit(tmp_path, attended):
    corpus, random = cached_vectors(tmp_path / "index", IDENTITY, TEXTS, lambda: vectors(attended=attended))
    again, random_again = cached_vectors(tmp_path / "index", IDENTITY, TEXTS, refused)
    assert again.texts == corpus.texts
    for name in ("text", "position", "vectors", "inputs"):
        assert np.array_equal(getattr(again, name), getattr(corpus, name))
    assert np.array_equal(random_again, random)
    assert (again.attended is None) == (not attended)


def test_without_a_folder_nothing_is_kept():
    assert len(cached_vectors(None, IDENTITY, TEXTS, vectors)[0]) == 4


def test_an_index_of_something_else_is_refused_and_named(tmp_path):
    cached_vectors(tmp_path / "index", IDENTITY, TEXTS, vectors)
    with pytest.raises(BadInput, match="made with another layer and model"):
        cached_vectors(tmp_path / "index", {**IDENTITY, "layer": 1, "model": "xyz"}, TEXTS, refused)


def test_a_folder_of_other_files_is_left_as_it_is(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="no index of contexts"):
        cached_vectors(tmp_path, IDENTITY, TEXTS, refused)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("name", ["vectors", "random", "text", "contexts"])
def test_a_damaged_index_is_an_error(tmp_path, name):
    cached_vectors(tmp_path / "index", IDENTITY, TEXTS, vectors)
    path = tmp_path / "index" / ("contexts.json" if name == "contexts" else f"{name}.npy")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadInput):
        cached_vectors(tmp_path / "index", IDENTITY, TEXTS, refused)


@pytest.mark.parametrize("name", ["text", "position", "vectors", "inputs", "attended", "random", "texts"])
def test_a_flipped_bit_of_any_array_names_its_file(tmp_path, name):
    cached_vectors(tmp_path / "index", IDENTITY, TEXTS, vectors)
    path = tmp_path / "index" / f"{name}.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 64
    path.write_bytes(content)
    with pytest.raises(BadInput, match=rf"{name}\.npy: this file of the index is missing or damaged"):
        cached_vectors(tmp_path / "index", IDENTITY, TEXTS, refused)


def test_an_index_of_an_earlier_version_has_no_checksums_and_is_read(tmp_path):
    cached_vectors(tmp_path / "index", IDENTITY, TEXTS, vectors)
    (tmp_path / "index" / "contexts.json").write_text(json.dumps(IDENTITY))
    assert len(cached_vectors(tmp_path / "index", IDENTITY, TEXTS, refused)[0]) == 4


def test_an_array_of_another_length_is_damaged(tmp_path):
    cached_vectors(tmp_path / "index", IDENTITY, TEXTS, vectors)
    np.save(tmp_path / "index" / "random.npy", np.zeros((3, 3), np.float32))
    with pytest.raises(BadInput, match="missing or damaged"):
        cached_vectors(tmp_path / "index", IDENTITY, TEXTS, refused)
