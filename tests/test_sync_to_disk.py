"""Folders and files that survive a loss of power, and two folders that change places in one step."""

import errno
import os

import pytest

from wordworth import sync_to_disk
from wordworth.sync_to_disk import exchange, make_folder, sync, sync_tree


def test_two_folders_change_places(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    if not exchange(tmp_path / "old", tmp_path / "new"):
        pytest.skip("this system has no such exchange")
    assert (tmp_path / "old" / "file").read_text() == "new"
    assert (tmp_path / "new" / "file").read_text() == "old"


def test_an_exchange_with_a_folder_that_is_not_there_is_an_error(tmp_path):
    (tmp_path / "old").mkdir()
    if sync_to_disk._renameat2() is None:
        pytest.skip("this system has no such exchange")
    with pytest.raises(OSError, match="No such file"):
        exchange(tmp_path / "old", tmp_path / "missing")


def test_where_the_system_has_no_exchange_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(sync_to_disk, "_renameat2", lambda: None)
    assert exchange(tmp_path, tmp_path) is False


def test_a_folder_is_made_with_its_parents_and_each_of_their_names_is_kept(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(sync_to_disk, "sync", synced.append)
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    assert set(synced) == {tmp_path, tmp_path / "a"}


def test_a_tree_is_kept_file_by_file_from_the_inside(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").touch()
    synced = []
    monkeypatch.setattr(sync_to_disk, "sync", synced.append)
    sync_tree(tmp_path)
    assert synced == [tmp_path / "inner" / "file", tmp_path / "inner", tmp_path]


def test_a_disk_that_fails_is_an_error_for_a_file_and_one_that_cannot_keep_folders_is_none(tmp_path, monkeypatch):
    def refuse(number):
        def fsync(_):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(sync_to_disk.os, "fsync", fsync)

    (tmp_path / "file").touch()
    refuse(errno.EINVAL)
    sync(tmp_path)
    with pytest.raises(OSError, match="Invalid argument"):
        sync(tmp_path / "file")
    refuse(errno.EIO)
    with pytest.raises(OSError, match="Input/output error"):
        sync(tmp_path)
