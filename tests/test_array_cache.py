"""What took long to compute is read back; what is damaged is computed again, and never returned."""

import numpy as np
import pytest

from wordworth.array_cache import ArrayCache, is_intact, write_arrays

KEY = "ab" + "0" * 30


class Computing:
    """A computation that counts how often it ran."""

    def __init__(self, value):
        self.value, self.calls = np.asarray(value), 0

    def __call__(self):
        self.calls += 1
        return self.value


def cached_file(folder):
    (path,) = folder.rglob("*.npy")
    return path


def test_an_array_is_computed_once_and_read_by_the_next_process(tmp_path):
    computing = Computing(np.arange(6, dtype=np.int16).reshape(2, 3))
    first = ArrayCache(tmp_path).array(KEY, computing)
    again = ArrayCache(tmp_path).array(KEY, computing)
    assert computing.calls == 1
    assert np.array_equal(first, again)
    assert again.dtype == np.int16


def test_another_key_is_another_array(tmp_path):
    cache = ArrayCache(tmp_path)
    cache.array(KEY, Computing([1]))
    assert cache.array("cd" + KEY[2:], Computing([2])).tolist() == [2]


def test_seconds_spared_are_those_of_the_computation_that_was_not_made_again(tmp_path, monkeypatch):
    clock = iter([10.0, 12.5])
    monkeypatch.setattr("wordworth.array_cache.time.perf_counter", lambda: next(clock))
    cache = ArrayCache(tmp_path)
    cache.array(KEY, Computing([1]))
    assert cache.spared == 0
    cache.array(KEY, Computing([1]))
    cache.array(KEY, Computing([1]))
    assert cache.spared == 5.0


DAMAGES = {
    "cut": lambda data: data[:-1],
    "empty": lambda _: b"",
    "changed": lambda data: data[:80] + b"x" + data[81:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_computed_again_and_replaced(tmp_path, damage):
    ArrayCache(tmp_path).array(KEY, Computing([1, 2]))
    path = cached_file(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    computing = Computing([1, 2])
    assert ArrayCache(tmp_path).array(KEY, computing).tolist() == [1, 2]
    ArrayCache(tmp_path).array(KEY, computing)
    assert computing.calls == 1


def test_a_file_moved_under_another_key_is_not_believed(tmp_path):
    other = "ab" + "1" * 30
    ArrayCache(tmp_path).array(KEY, Computing([1]))
    path = cached_file(tmp_path)
    path.rename(path.with_name(f"{other}.npy"))
    assert ArrayCache(tmp_path).array(other, Computing([2])).tolist() == [2]


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path):
    (tmp_path / "file").write_text("no folder")
    computing = Computing([1])
    cache = ArrayCache(tmp_path / "file")
    assert [cache.array(KEY, computing).tolist() for _ in range(2)] == [[1], [1]]
    assert computing.calls == 2


def test_a_computation_that_fails_leaves_nothing(tmp_path):
    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        ArrayCache(tmp_path).array(KEY, fail)
    assert not list(tmp_path.rglob("*.npy"))


def test_the_digest_at_the_end_does_not_disturb_other_readers(tmp_path):
    write_arrays(tmp_path / "a.npy", np.arange(3))
    assert np.load(tmp_path / "a.npy").tolist() == [0, 1, 2]
    with (tmp_path / "a.npy").open("rb") as file:
        assert is_intact(file)
        assert file.tell() == 0
        assert not is_intact(file, key="of another")
