"""`embed` beside a user's own files, and beside another `embed` of the same output."""

import subprocess
import sys

import pytest

from wordworth.errors import BadInput
from wordworth.folder_lock import alone_in
from wordworth.inference.bulk_embedding import EmbedSettings, embed

AT_WORK = """
import sys, time
from pathlib import Path
from wordworth.folder_lock import alone_in
with alone_in(Path(sys.argv[1])):
    print("there", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("one\ntwo\n")
    return path


@pytest.fixture
def settings(tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("one 0.25 0.5\ntwo 0.5 0.25\n")
    return EmbedSettings(model=str(table), rows=1)


@pytest.mark.parametrize("name", ["thesis.txt", "vectors.npy", "chapters/one.txt", ".notes/one.txt", "made-of.json"])
def test_a_folder_of_the_user_where_parts_would_go_is_refused_and_left_as_it_is(tmp_path, texts, settings, name):
    own = tmp_path / "out.npy.parts" / name
    own.parent.mkdir(parents=True)
    own.write_text('{"months": "of work"}')
    with pytest.raises(BadInput, match=r"this folder is not from embed|the parts here were made with another"):
        embed(texts, tmp_path / "out.npy", settings)
    assert own.read_text() == '{"months": "of work"}'
    assert not (tmp_path / "out.npy").exists()


def test_files_that_the_user_put_among_the_parts_of_a_run_stay_when_it_ends(tmp_path, texts, settings, monkeypatch):
    from wordworth.inference.bulk_embedding_parts import PartsFolder

    out, write = tmp_path / "out.npy", PartsFolder.write

    def beside(parts, number, vectors):
        write(parts, number, vectors)
        (parts.folder / "notes.npy").write_text("mine")

    monkeypatch.setattr(PartsFolder, "write", beside)
    embed(texts, out, settings)
    assert out.exists()
    assert [path.name for path in (tmp_path / "out.npy.parts").iterdir()] == ["notes.npy"]


def test_a_second_embed_of_one_output_is_told_of_the_first_and_disturbs_nothing(tmp_path, texts, settings):
    parts = tmp_path / "out.npy.parts"
    first = subprocess.Popen([sys.executable, "-c", AT_WORK, str(parts)], stdout=subprocess.PIPE)
    try:
        assert first.stdout.readline() == b"there\n"
        with pytest.raises(BadInput, match="another process is at work here; wait until it has ended"):
            embed(texts, tmp_path / "out.npy", settings)
        assert parts.is_dir()
    finally:
        first.kill()
        first.communicate()
    assert embed(texts, tmp_path / "out.npy", settings).rows == 2
    assert not parts.exists()


def test_who_waited_for_a_folder_that_was_removed_meanwhile_locks_the_new_one(tmp_path):
    folder, at_work = tmp_path / "work", [sys.executable, "-c", AT_WORK, str(tmp_path / "work")]
    with alone_in(folder):
        waiting = subprocess.Popen(at_work, stdout=subprocess.PIPE)
        try:
            while not _opened(waiting.pid, folder):
                assert waiting.poll() is None
            folder.rmdir()
        except BaseException:
            waiting.kill()
            waiting.communicate()
            raise
    try:
        assert waiting.stdout.readline() == b"there\n"
        with pytest.raises(BadInput, match="another process is at work"), alone_in(folder, waits=False):
            pass
    finally:
        waiting.kill()
        waiting.communicate()


def _opened(process, folder) -> bool:
    """Whether a process has a folder open (Linux tells)."""
    from pathlib import Path

    descriptors = Path(f"/proc/{process}/fd")
    if not descriptors.is_dir():
        pytest.skip("needs /proc")
    return any(_target(each) == str(folder) for each in descriptors.iterdir())


def _target(descriptor) -> str | None:
    """What a descriptor stands for; None where the process closed it meanwhile."""
    try:
        return str(descriptor.readlink())
    except FileNotFoundError:
        return None
