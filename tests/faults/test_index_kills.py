"""An index whose change was killed is the one before or the one after, and the same command goes on to the same."""

from __future__ import annotations

import errno
import random
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from tests.retrieval.small_index import WORDS, build, files, made_up_rows, write_rows, write_table

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval import build as building
from wordworth.retrieval.manifest import Manifest

RUN = """
import sys
import wordworth as ww
action, folder = sys.argv[1], sys.argv[2]
if action == "build":
    ww.build_index(folder + "/rows.jsonl", folder + "/index", model=folder + "/table.txt", rows=20, id="name")
elif action == "add":
    ww.add_to_index(folder + "/more.jsonl", folder + "/index")
elif action == "graph":
    queries = [f"word{n} word{n + 7}" for n in range(40)]
    ww.build_hnsw(queries, folder + "/index", recall=0.5, m=4, ef_construction=20, threads=1)
else:
    ww.delete_from_index(folder + "/index", where="year < 2000")
"""
COUNTED = """
import os, signal, sys
steps, last = 0, int(sys.argv[3])

def count(event, arguments):
    global steps
    if event in ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir") and sys.argv[2] in str(arguments[0]):
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count)
"""
QUERY = " ".join(WORDS[:5])
KILLED = -signal.SIGKILL


def killed(action: str, folder: Path, step: int) -> bool:
    """Run an action that kills itself at a step, counted in what it does to files; whether it came so far."""
    return subprocess.run([sys.executable, "-c", COUNTED + RUN, action, str(folder), str(step)]).returncode == KILLED  # noqa: PLW1510


def begun(folder: Path) -> list[Path]:
    """Parts of a change that is to go on; a kill at the very end may leave their folder, empty."""
    return [path for path in folder.glob("*.parts/*") if path.suffix in {".npy", ".json"}]


def answers(folder: Path) -> pd.DataFrame:
    return ww.search(QUERY, folder / "index", k=5000)


def run(action: str, folder: Path) -> int:
    """Run an action to its end; the steps that it took, counted in what it does to files."""
    code = COUNTED + RUN + "print(steps)"
    done = subprocess.run([sys.executable, "-c", code, action, str(folder), "0"], check=True, capture_output=True)
    return int(done.stdout.split()[-1])


@pytest.fixture
def folder(tmp_path) -> Path:
    write_table(tmp_path / "table.txt")
    write_rows(tmp_path / "rows.jsonl", made_up_rows(1500))
    write_rows(tmp_path / "more.jsonl", made_up_rows(500, 1))
    return tmp_path


@pytest.mark.slow
def test_kills_at_any_moment_of_building_adding_and_deleting(folder):
    draw = random.Random(0)
    stages = {}
    for action in ("build", "add", "delete"):
        steps = run(action, folder)
        stages[action] = (steps, answers(folder))
    whole = folder.with_name("killed")
    whole.mkdir()
    for name in ("table.txt", "rows.jsonl", "more.jsonl"):
        (whole / name).write_bytes((folder / name).read_bytes())
    before = None
    for action, (steps, after) in stages.items():
        assert killed(action, whole, draw.randint(steps // 2, steps))
        for _ in range(2):  # what goes on has fewer steps to take, and may end
            if (whole / "index" / "index.json").exists():
                now = answers(whole)
                assert now.equals(after) or now.equals(before)
                if now.equals(after) and not begun(whole):
                    break
            else:
                assert before is None
            killed(action, whole, draw.randint(1, steps))
        if before is None or begun(whole) or not answers(whole).equals(after):
            run(action, whole)
        before = answers(whole)
        pd.testing.assert_frame_equal(before, after)
    assert not begun(whole)


@pytest.mark.slow
def test_kills_at_any_moment_of_building_a_graph(folder):
    pytest.importorskip("faiss")
    run("build", folder)
    steps, after = run("graph", folder), answers(folder)
    draw = random.Random(0)
    for seed, share in enumerate((0.5, 0.8, 0.95), start=2):
        write_rows(folder / "more.jsonl", made_up_rows(500, seed))
        run("add", folder)  # so that the graph lacks rows
        step = draw.randint(int(steps * share), steps)
        if killed("graph", folder, step):
            assert len(answers(folder)) > len(after)
        run("graph", folder)
        manifest = Manifest.read(folder / "index")
        assert manifest.graph.rows == manifest.rows
        assert [path.name for path in (folder / "index").glob("*graph-*")] == [manifest.graph.name]


@pytest.mark.parametrize("step", ["write_vectors", "write_rows", "write_postings", "_report"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left on device")])
def test_a_change_that_fails_anywhere_leaves_the_index_as_it_was_and_goes_on(tmp_path, monkeypatch, step, error):
    index = build(tmp_path)
    more = write_rows(tmp_path / "more.jsonl", made_up_rows(50, 1))
    before = files(index)

    def fail(*_):
        raise error

    with monkeypatch.context() as failing:
        failing.setattr(building, step, fail)
        with pytest.raises((KeyboardInterrupt, BadInput, OSError)):
            ww.add_to_index(more, index)
    if step != "_report":  # which comes after the index has changed
        assert files(index) == before
        assert ww.add_to_index(more, index).total == 250
    assert len(ww.load_index(index)) == 250


def test_an_add_that_was_killed_at_its_very_end_is_not_made_twice(tmp_path, monkeypatch):
    index = build(tmp_path)
    more = write_rows(tmp_path / "more.jsonl", made_up_rows(50, 1))
    with monkeypatch.context() as failing:
        failing.setattr(
            "wordworth.retrieval.build.PartsFolder.remove", lambda _: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            ww.add_to_index(more, index)
    assert len(ww.load_index(index)) == 250
    report = ww.add_to_index(more, index)
    assert report.unchanged
    assert report.total == 250
    assert ww.add_to_index(more, index).total == 300  # asked for once more, by someone who means it


def test_a_replaced_index_is_the_old_one_until_the_new_one_is_whole(tmp_path, monkeypatch):
    index = build(tmp_path)
    other, before = write_rows(tmp_path / "other.jsonl", made_up_rows(20, 5)), files(index)
    settings = {"model": str(tmp_path / "table.txt"), "overwrite": True}
    with monkeypatch.context() as failing:
        failing.setattr(Manifest, "write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            ww.build_index(other, index, **settings)
    assert {name: content for name, content in files(index).items() if name in before} == before
    assert len(ww.load_index(index)) == 200
    ww.build_index(other, index, **settings)
    assert len(ww.load_index(index)) == 20
    assert len(list(index.iterdir())) == 2


def test_two_processes_do_not_change_an_index_at_once(tmp_path):
    from wordworth.folder_lock import alone_in

    index = build(tmp_path)
    code = "import sys; from tests.faults.test_index_kills import RUN; exec(RUN)"
    with alone_in(tmp_path / "index.parts"):
        done = subprocess.run(
            [sys.executable, "-c", code, "delete", str(tmp_path)], capture_output=True, text=True, check=False
        )
        assert done.stderr.endswith("another process is at work here; wait until it has ended\n")
        assert len(ww.search(QUERY, index)) == 10  # asking goes on
    assert len(ww.load_index(index)) == 200
