"""Locks: one process works in a folder; another waits for it, or is refused."""

import subprocess
import sys

import pytest

from wordworth.errors import BadInput
from wordworth.folder_lock import alone_in

AT_WORK = """
import sys, time
from pathlib import Path
from wordworth.folder_lock import alone_in
with alone_in(Path(sys.argv[1])):
    print("there", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    """Another process that works in a folder."""
    process = subprocess.Popen([sys.executable, "-c", AT_WORK, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"there\n"
    yield process
    process.kill()
    process.communicate()


def test_who_does_not_wait_is_refused_until_the_other_is_gone_however_it_ended(tmp_path, other):
    with pytest.raises(BadInput, match="another process is at work here"), alone_in(tmp_path, waits=False):
        pass
    other.kill()
    other.wait()
    with alone_in(tmp_path, waits=False):
        pass


def test_who_waits_comes_after_the_other(tmp_path, other):
    killer = subprocess.Popen([sys.executable, "-c", f"import os, time; time.sleep(0.3); os.kill({other.pid}, 9)"])
    with alone_in(tmp_path):
        assert other.wait(5) != 0
    killer.wait()


def test_a_folder_that_cannot_be_made_is_the_persons_business(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="cannot write"), alone_in(tmp_path / "file" / "folder"):
        pass
