"""Work in cells: done once, by whoever comes first, and waited for by the others."""

import fcntl
import threading
import time

import pytest

from parts.cells import Cell, chosen, keep_to, work
from wordworth.errors import BadInput


def writing(path, told):
    def make():
        told.append(path.name)
        path.write_text("done")

    return make


def cell(folder, name, told, needs=()):
    return Cell(name, folder / name, writing(folder / name, told), [folder / need for need in needs])


def test_a_cell_that_is_done_is_not_done_again(tmp_path):
    told = []
    work([cell(tmp_path, "a", told)])
    work([cell(tmp_path, "a", told)])
    assert told == ["a"]


def test_a_cell_begins_once_what_it_needs_is_there_whatever_the_order(tmp_path):
    told = []
    work([cell(tmp_path, "b", told, needs=["a"]), cell(tmp_path, "a", told)])
    assert told == ["a", "b"]


def test_a_cell_that_has_become_ready_goes_before_later_ones(tmp_path):
    told = []
    last = [cell(tmp_path, name, told) for name in ("a", "z")]
    work([cell(tmp_path, "b", told, needs=["a"]), *last])
    assert told == ["a", "b", "z"]


def test_a_cell_that_another_process_is_at_is_waited_for_and_not_made(tmp_path):
    told = []
    with (tmp_path / ".a.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = threading.Thread(target=work, args=([cell(tmp_path, "a", told)],))
        waiting.start()
        time.sleep(0.5)
        assert waiting.is_alive()
        (tmp_path / "a").write_text("done by the other")
    waiting.join(timeout=10)
    assert not waiting.is_alive()
    assert told == []


def test_a_cell_whose_process_was_killed_is_taken_up(tmp_path):
    told = []
    (tmp_path / ".a.lock").touch()  # what a killed process leaves; its lock went with it
    work([cell(tmp_path, "a", told)])
    assert told == ["a"]


def test_what_nobody_makes_is_said_and_not_waited_for(tmp_path):
    with pytest.raises(BadInput, match="needs"):
        work([cell(tmp_path, "b", [], needs=["a"])])


def test_cells_are_chosen_by_patterns_of_their_names(tmp_path):
    cells = [cell(tmp_path, name, []) for name in ("tune-x-seed-0", "tune-x-seed-1", "bits-x-seed-1")]
    assert chosen(cells, []) == cells
    assert [one.name for one in chosen(cells, ["tune-*-seed-1"])] == ["tune-x-seed-1"]
    with pytest.raises(BadInput, match="no cell"):
        chosen(cells, ["tone-*"])
    with pytest.raises(BadInput, match="nothing to do"):
        chosen([], [])


def test_a_folder_of_other_settings_is_refused_with_what_differs(tmp_path):
    keep_to(tmp_path, {"rate": 0.1, "batch": 16})
    keep_to(tmp_path, {"batch": 16, "rate": 0.1})
    with pytest.raises(BadInput, match="another rate"):
        keep_to(tmp_path, {"rate": 0.2, "batch": 16})
