import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.inference.bulk_embedding_parts import PartsFolder

MADE_OF = {"input": "a", "model": "m", "kernel": "k"}
VECTORS = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def parts(tmp_path):
    folder = PartsFolder(tmp_path / "out.npy.parts")
    folder.folder.mkdir()
    return folder


def test_parts_of_the_same_run_are_kept_and_it_is_told_what_they_were_made_of(parts):
    assert parts.made_of() is None
    assert parts.start_or_resume(MADE_OF) == []
    parts.write(0, VECTORS)
    assert parts.start_or_resume(MADE_OF) == []
    assert parts.made_of() == MADE_OF
    assert np.array_equal(np.load(parts.file(0)), VECTORS)


@pytest.mark.parametrize(
    ("now", "named"),
    [
        (MADE_OF | {"input": "b"}, ["input"]),
        (MADE_OF | {"model": "n", "kernel": "l"}, ["model"]),  # another kernel follows from another model
        (MADE_OF | {"kernel": "l"}, ["kernel"]),
    ],
)
def test_parts_of_another_run_are_refused_by_what_differs_or_removed_where_that_is_wanted(parts, now, named):
    parts.start_or_resume(MADE_OF)
    parts.write(0, VECTORS)
    with pytest.raises(BadInput, match=rf"made with another {', '.join(named)}; give"):
        parts.start_or_resume(now)
    assert parts.file(0).exists()
    assert parts.start_or_resume(now, anew=True) == named
    assert not parts.file(0).exists()
    assert parts.made_of() == now


def test_where_no_part_was_written_another_run_may_begin(parts):
    parts.start_or_resume(MADE_OF)
    assert parts.start_or_resume(MADE_OF | {"input": "b"}) == []
    assert parts.made_of()["input"] == "b"


def test_a_folder_with_a_file_of_the_user_is_refused_and_left_as_it_is(parts):
    (parts.folder / "notes.npy").write_bytes(b"mine")
    with pytest.raises(BadInput, match=r"notes\.npy"):
        parts.start_or_resume(MADE_OF, anew=True)
    assert [path.name for path in parts.folder.iterdir()] == ["notes.npy"]


def test_half_written_files_of_a_killed_run_are_swept_and_others_are_not(parts):
    parts.start_or_resume(MADE_OF)
    (parts.folder / ".00000003.npy.123.part").write_bytes(b"half")
    (parts.folder / ".mine.part").write_bytes(b"mine")
    parts.start_or_resume(MADE_OF)
    assert {path.name for path in parts.folder.iterdir()} == {"made-of.json", ".mine.part"}


@given(place=st.integers(0, 200), new=st.integers(0, 255))
def test_a_part_is_whole_unless_one_of_its_bytes_has_changed(tmp_path_factory, place, new):
    parts = PartsFolder(tmp_path_factory.mktemp("parts"))
    assert not parts.is_intact(0)
    parts.write(0, VECTORS)
    assert parts.is_intact(0)
    data = bytearray(parts.file(0).read_bytes())
    place %= len(data)
    old, data[place] = data[place], new
    parts.file(0).write_bytes(data)
    assert parts.is_intact(0) == (old == new)


def test_the_files_are_numbered_from_0_and_sort_in_their_order(parts):
    assert parts.files(3) == [parts.file(0), parts.file(1), parts.file(2)]
    assert sorted([parts.file(10).name, parts.file(9).name]) == [parts.file(9).name, parts.file(10).name]


def test_what_a_run_made_is_removed_and_a_file_of_the_user_stays(parts):
    parts.start_or_resume(MADE_OF)
    parts.write(0, VECTORS)
    (parts.folder / "notes.txt").write_text("mine")
    parts.remove_empty()
    assert parts.file(0).exists()
    parts.remove()
    assert [path.name for path in parts.folder.iterdir()] == ["notes.txt"]
    (parts.folder / "notes.txt").unlink()
    parts.remove()
    assert not parts.folder.exists()


def test_an_empty_folder_is_gone_after_the_lock_and_one_with_parts_is_not(tmp_path):
    parts = PartsFolder(tmp_path / "parts")
    with parts.locked():
        assert parts.folder.is_dir()
    assert not parts.folder.exists()
    with parts.locked():
        parts.write(0, VECTORS)
    assert list(parts.folder.iterdir()) == [parts.file(0)]
