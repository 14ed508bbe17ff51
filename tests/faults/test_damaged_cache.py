"""Cached arrays: what was damaged or put there by others is computed anew, never trusted."""

import numpy as np
import pytest

from wordworth.array_cache import ArrayCache


def cached(folder, key):
    (path,) = folder.rglob(f"{key}.npy")
    return path


def test_a_flipped_bit_anywhere_in_a_cached_file_is_noticed(tmp_path):
    value = np.arange(40.0).reshape(8, 5)
    ArrayCache(tmp_path).array("key", lambda: value)
    sound = cached(tmp_path, "key").read_bytes()
    for place in range(0, len(sound), 3):
        data = bytearray(sound)
        data[place] ^= 4
        cached(tmp_path, "key").write_bytes(data)
        cache = ArrayCache(tmp_path)
        assert np.array_equal(cache.array("key", value.copy), value)
        assert cache.spared == 0, f"byte {place} was trusted"
    assert cached(tmp_path, "key").read_bytes()[:300] == sound[:300]


@pytest.mark.parametrize("rows", [3, 8])
def test_the_file_of_another_key_is_not_taken(tmp_path, rows):
    ArrayCache(tmp_path).array("foreign", lambda: np.zeros(rows))
    ArrayCache(tmp_path).array("foremost", lambda: np.ones(8))
    cached(tmp_path, "foremost").write_bytes(cached(tmp_path, "foreign").read_bytes())
    assert ArrayCache(tmp_path).array("foremost", lambda: np.ones(8)).tolist() == [1.0] * 8


def test_a_file_in_the_form_of_a_plain_npy_is_not_taken(tmp_path):
    ArrayCache(tmp_path).array("key", lambda: np.ones(8))
    with cached(tmp_path, "key").open("wb") as file:
        np.save(file, np.zeros(8))
        np.save(file, 1.0)
    assert ArrayCache(tmp_path).array("key", lambda: np.ones(8)).tolist() == [1.0] * 8
