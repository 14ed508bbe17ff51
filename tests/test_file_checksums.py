"""A folder's files are held to the SHA-256 in its manifest: any changed byte names its file."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.file_checksums import changed_file, file_checksums


def test_the_checksums_are_those_of_the_bytes(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"abc")
    assert file_checksums(tmp_path, ["a.bin"]) == {"a.bin": sha256(b"abc").hexdigest()}


@given(content=st.binary(min_size=1, max_size=50), data=st.data())
def test_any_flipped_bit_names_its_file(tmp_path_factory, content, data):
    folder = tmp_path_factory.mktemp("folder")
    (folder / "sound").write_bytes(b"sound")
    (folder / "flipped").write_bytes(content)
    recorded = file_checksums(folder, ["sound", "flipped"])
    assert changed_file(folder, recorded) is None
    bit = data.draw(st.integers(0, 8 * len(content) - 1))
    (folder / "flipped").write_bytes(bytes(byte ^ (1 << bit % 8) * (at == bit // 8) for at, byte in enumerate(content)))
    assert changed_file(folder, recorded) == folder / "flipped"


def test_a_missing_file_counts_as_changed_and_no_record_checks_nothing(tmp_path):
    assert changed_file(tmp_path, {"gone": "0" * 64}) == tmp_path / "gone"
    assert changed_file(tmp_path, None) is None


@pytest.mark.parametrize("recorded", [[], "text", {"../outside": "0" * 64}, {"a": None}, {"": "0"}])
def test_a_table_that_is_none_counts_as_changed_and_reads_nothing_outside(tmp_path, recorded):
    (tmp_path / "outside").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").write_bytes(b"a")
    assert changed_file(tmp_path / "folder", recorded) is not None
