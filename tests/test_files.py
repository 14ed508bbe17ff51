"""Files: what stands is whole, and what a kill left behind goes."""

import resource
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.files import atomic_write, remove_partial_files, replacing_folder, require_outside
from wordworth.models.weight_files import write_safetensors
from wordworth.training.checkpoints import save


def test_what_a_killed_writer_left_torn_is_swept_and_nothing_else(tmp_path):
    (tmp_path / "below").mkdir()
    torn = [tmp_path / ".result.npz.12.part", tmp_path / "below" / ".a.json.7.part"]
    whole = [tmp_path / "result.npz", tmp_path / "below" / "a.part"]
    for path in (*torn, *whole):
        path.write_text("x")
    (tmp_path / ".model.12.part" / "below").mkdir(parents=True)
    (tmp_path / ".model.12.part" / "below" / ".config.json.12.part").write_text("x")
    remove_partial_files(tmp_path)
    assert not any(path.exists() for path in (*torn, tmp_path / ".model.12.part"))
    assert all(path.exists() for path in whole)


def filled(target: Path, content: str) -> None:
    with replacing_folder(target) as neighbour:
        (neighbour / "file").write_text(content)


def broken_off(target: Path, error: Exception) -> None:
    with replacing_folder(target) as neighbour:
        (neighbour / "file").write_text("half")
        raise error


def test_a_folder_takes_the_place_of_an_older_one_whole(tmp_path):
    filled(tmp_path / "deep" / "folder", "old")
    (tmp_path / "deep" / "folder" / "more").write_text("of the older one")
    filled(tmp_path / "deep" / "folder", "new")
    assert [path.name for path in (tmp_path / "deep").rglob("*")] == ["folder", "file"]
    assert (tmp_path / "deep" / "folder" / "file").read_text() == "new"


def test_a_folder_that_is_not_finished_leaves_the_older_one_and_nothing_else(tmp_path):
    filled(tmp_path / "folder", "old")
    with pytest.raises(BadInput, match="the disk is full"):
        broken_off(tmp_path / "folder", OSError(28, "No space left on device"))
    with pytest.raises(ZeroDivisionError):
        broken_off(tmp_path / "folder", ZeroDivisionError())
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert (tmp_path / "folder" / "file").read_text() == "old"


def test_an_older_folder_comes_back_where_the_new_one_cannot_take_its_place(tmp_path):
    filled(tmp_path / "folder", "old")
    with pytest.raises(BadInput, match="cannot write"), replacing_folder(tmp_path / "folder") as neighbour:
        neighbour.rmdir()
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert (tmp_path / "folder" / "file").read_text() == "old"


def test_a_file_where_a_folder_should_go_is_left_alone(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        filled(tmp_path / "taken", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text() == "mine"


def test_an_array_read_from_the_cache_tells_what_it_took_to_make(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def slow_array() -> np.ndarray:
        clock[0] += 50.0
        return np.arange(3)

    first, second = ArrayCache(tmp_path), ArrayCache(tmp_path)
    assert first.array("key", slow_array).tolist() == [0, 1, 2]
    assert first.spared == 0
    for times in (1, 2):
        assert second.array("key", lambda: pytest.fail("computed again")).tolist() == [0, 1, 2]
        assert second.spared == 50.0 * times


@pytest.mark.parametrize("keep", [-1, 130, 0])
def test_a_cached_file_that_lost_its_end_is_made_again(tmp_path, keep):
    ArrayCache(tmp_path).array("key", lambda: np.arange(3))
    (file,) = tmp_path.rglob("*.npy")
    file.write_bytes(file.read_bytes()[:keep])
    again = ArrayCache(tmp_path)
    assert again.array("key", lambda: np.arange(4)).tolist() == [0, 1, 2, 3]
    assert again.spared == 0
    assert ArrayCache(tmp_path).array("key", lambda: pytest.fail("not kept")).tolist() == [0, 1, 2, 3]


def test_a_disk_that_took_only_part_of_an_array_is_full(tmp_path):
    with pytest.raises(BadInput, match="the disk is full; free some space"), atomic_write(tmp_path / "a.npy"):
        raise OSError("25600 requested and 15328 written")


@contextmanager
def files_of_at_most(size):
    """The system refuses larger ones."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@pytest.mark.parametrize("write", ["safetensors", "state"])
def test_libraries_that_write_for_us_fail_as_the_file_does(tmp_path, write):
    tensors, path = {"weights": torch.zeros(100_000)}, tmp_path / "file"

    def fill(neighbour):
        if write == "safetensors":
            write_safetensors(tensors, neighbour)
            return
        with neighbour.open("wb") as file:
            save(tensors, file)

    with (
        files_of_at_most(10_000),
        pytest.raises(BadInput, match="cannot write: File too large"),
        atomic_write(path) as it,
    ):
        fill(it)
    assert list(tmp_path.iterdir()) == []


def test_an_output_is_not_a_models_folder_in_it_or_around_it_whatever_the_path_to_it(tmp_path):
    model = tmp_path / "all" / "model"
    model.mkdir(parents=True)
    (tmp_path / "link").symlink_to(model)
    for out, how in ((model, "is"), (tmp_path / "link", "is"), (tmp_path / "link/new", "lies inside"),
                     (model.parent, "contains"), (model / "../model/new/newer", "lies inside")):  # fmt: skip
        with pytest.raises(BadInput, match=f"this {how} the folder of the model that is read, {model}; give another"):
            require_outside(out, model)
    require_outside(model.parent / "model2", model, "minilm", tmp_path / "absent")
