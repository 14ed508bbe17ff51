"""A folder that is replaced is there at every moment, whole, whenever its writer is killed or the power fails."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wordworth import files, sync_to_disk
from wordworth.files import atomic_write, replacing_folder
from wordworth.records import read
from wordworth.studies.report_folder import ReportFolder

KEPT = Path(__file__).resolve().parents[2] / "docs" / "records" / "static_words.json"

NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
REPLACE = """
import sys
from pathlib import Path
from wordworth import files
if sys.argv[2] == "steps":
    files.exchange = lambda *_: False
number = 0
while True:
    number += 1
    with files.replacing_folder(Path(sys.argv[1])) as neighbour:
        for name in ("weights", "config"):
            (neighbour / name).write_text(str(number))
    if number == 3:
        print("at work", flush=True)
"""


def started(target, how):
    process = subprocess.Popen([sys.executable, "-c", REPLACE, str(target), how], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"at work\n"
    return process


def killed(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()


def whole(target) -> bool:
    return len({(target / name).read_text() for name in ("weights", "config")}) == 1


@pytest.fixture(scope="session")
def swaps(tmp_path_factory):
    folder = tmp_path_factory.mktemp("swap")
    for name in "ab":
        (folder / name).mkdir()
    if not sync_to_disk.exchange(folder / "a", folder / "b"):
        pytest.skip("this system cannot swap two folders in one step")


@pytest.mark.usefixtures("swaps")
def test_a_folder_is_there_at_every_moment_while_it_is_replaced(tmp_path):
    process, ends, looks, missing = started(tmp_path / "model", "swap"), time.monotonic() + 1.5, 0, 0
    while time.monotonic() < ends:
        looks, missing = looks + 1, missing + (not (tmp_path / "model").exists())
    killed(process)
    assert looks > 100
    assert missing == 0


@pytest.mark.usefixtures("swaps")
def test_a_writer_killed_at_any_moment_leaves_a_whole_folder(tmp_path):
    draw = random.Random(0)
    for _ in range(8):
        process = started(tmp_path / "model", "swap")
        time.sleep(draw.random() * 0.05)
        killed(process)
        assert whole(tmp_path / "model")


def test_where_folders_cannot_be_swapped_the_next_writer_brings_back_what_a_kill_left_aside(tmp_path, monkeypatch):
    """The writer dies between its two renames, as by a kill: nothing of it runs any more."""
    target = tmp_path / "model [new]"
    target.mkdir()
    (target / "weights").write_text("old")
    monkeypatch.setattr(files, "exchange", lambda *_: False)
    code = (
        "import os, sys; from pathlib import Path; from wordworth import files; files.exchange = lambda *_: False\n"
        "rename = Path.rename\n"
        "Path.rename = lambda self, to: os._exit(9) if self.name.endswith('.part') else rename(self, to)\n"
        "with files.replacing_folder(Path(sys.argv[1])) as neighbour: (neighbour / 'weights').write_text('new')\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(target)], check=False).returncode == 9
    assert not target.exists()
    with pytest.raises(ZeroDivisionError), replacing_folder(target):
        raise ZeroDivisionError  # the next writer fails too
    assert (target / "weights").read_text() == "old"
    with replacing_folder(target) as neighbour:
        (neighbour / "weights").write_text("newer")
    assert (target / "weights").read_text() == "newer"
    assert not list(tmp_path.glob(".*.old"))


@NEEDS_PROC
@pytest.mark.parametrize("how", ["swap", "steps"])
def test_all_of_a_folder_is_on_the_disk_before_it_takes_its_place_and_its_name_after(tmp_path, monkeypatch, how):
    events, fsync, rename, swap = [], os.fsync, os.rename, sync_to_disk.exchange

    def names(descriptor):
        events.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    def moved(*paths):
        events.append("moved")
        return rename(*paths)

    def swapped(*paths):
        events.append("moved")
        return how == "swap" and swap(*paths)

    target = tmp_path / "made" / "model"
    with replacing_folder(target) as neighbour:
        (neighbour / "old").write_text("x")
    monkeypatch.setattr(os, "fsync", names)
    monkeypatch.setattr(os, "rename", moved)
    monkeypatch.setattr(files, "exchange", swapped)
    with replacing_folder(target) as neighbour:
        (neighbour / "below").mkdir()
        (neighbour / "below" / "weights").write_text("x")
        part = str(neighbour)
    first = events.index("moved")
    assert {f"{part}/below/weights", f"{part}/below", part} <= set(events[:first])
    assert events[-1] == str(target.parent)


@NEEDS_PROC
def test_the_name_of_a_file_and_of_the_folders_made_for_it_are_on_the_disk_too(tmp_path, monkeypatch):
    events, fsync = [], os.fsync

    def names(descriptor):
        events.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", names)
    with atomic_write(tmp_path / "a" / "b" / "file") as neighbour:
        neighbour.write_text("x")
    assert {str(tmp_path), str(tmp_path / "a")} <= set(events)
    assert events[-1] == str(tmp_path / "a" / "b")


@NEEDS_PROC
def test_a_disk_that_cannot_write_folders_out_is_no_failure(tmp_path, monkeypatch):
    fsync = os.fsync

    def refuses(descriptor):
        if Path(f"/proc/self/fd/{descriptor}").is_dir():
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuses)
    with replacing_folder(tmp_path / "model") as neighbour:
        (neighbour / "weights").write_text("x")
    assert (tmp_path / "model" / "weights").exists()


KILLED_AS_IT_CLEANS = """
import os
import shutil
import signal
import sys
from pathlib import Path
from wordworth.files import replacing_folder

def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

with replacing_folder(Path(sys.argv[1])) as neighbour:
    (neighbour / "weights").write_text("new")
    shutil.rmtree = killed
"""


def test_what_a_kill_during_clean_up_leaves_goes_with_the_next_run(tmp_path):
    target = tmp_path / "model"
    target.mkdir()
    (target / "weights").write_text("old")
    assert subprocess.run([sys.executable, "-c", KILLED_AS_IT_CLEANS, str(target)]).returncode == -signal.SIGKILL  # noqa: PLW1510
    assert (target / "weights").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] != ["model"]
    with replacing_folder(target) as neighbour:
        (neighbour / "weights").write_text("newer")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("name", [f".model.{os.getppid()}.part", ".model.mine.part", f".models.{2**22}.part"])
def test_what_a_living_process_or_a_user_has_beside_it_stays(tmp_path, name):
    (tmp_path / name).mkdir()
    with replacing_folder(tmp_path / "model"):
        pass
    assert (tmp_path / name).is_dir()


def test_a_study_removes_what_a_killed_one_left_of_its_record_and_page(tmp_path):
    for name in ("record.json", "report.html"):
        (tmp_path / f".{name}.{2**22 + 1}.part").write_text("half")
    ReportFolder.of(tmp_path, "words").write(read(KEPT))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["record.json", "report.html"]
