"""Files that grow by appending: what was committed survives a stop, and nothing else does."""

import errno

import pytest

from wordworth.errors import BadInput
from wordworth.text.corpus import resumable_append
from wordworth.text.corpus.resumable_append import AppendLog


def log(folder, key="key"):
    return AppendLog(folder, key, ("a.bin", "b.bin"))


def written(folder):
    """A build that commits once and is stopped after it has written more."""
    with log(folder) as build:
        build.append({"a.bin": b"one", "b.bin": b"1"})
        build.counters["chunks"] = 1
        build.commit()
        build.append({"a.bin": b"two"})


def test_a_build_goes_on_behind_what_was_committed(tmp_path):
    written(tmp_path)
    with log(tmp_path) as again:
        assert again.counters == {"chunks": 1}
        again.append({"a.bin": b"three"})
        again.commit()
    assert (tmp_path / "a.bin").read_bytes() == b"onethree"
    assert (tmp_path / "b.bin").read_bytes() == b"1"


@pytest.mark.parametrize("loss", ["another key", "lost bytes", "torn state"])
def test_a_build_of_something_else_or_with_a_loss_starts_from_empty_files(tmp_path, loss):
    written(tmp_path)
    if loss == "lost bytes":
        (tmp_path / "a.bin").write_bytes(b"o")
    if loss == "torn state":
        (tmp_path / resumable_append.STATE).write_text('{"key": ')
    with log(tmp_path, "other" if loss == "another key" else "key") as again:
        assert again.counters == {}
        again.commit()
    assert (tmp_path / "a.bin").read_bytes() == b""


def test_a_full_disk_is_one_clear_error(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with log(tmp_path) as build:
        build.append({"a.bin": b"one"})
        monkeypatch.setattr(resumable_append.os, "fsync", full)
        with pytest.raises(BadInput, match="the disk is full"):
            build.commit()
