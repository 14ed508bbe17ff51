"""The log: rows that survive, rows that go when a run goes back, and the same as TensorBoard's points."""

import json
import struct

import pytest

from wordworth.errors import BadInput
from wordworth.training.pretraining.metrics_log import Log, read


def write(folder, first, last):
    log = Log(folder, first)
    for step in range(first + 1, last + 1):
        log.write("step", step, loss=step / 10, name="words are no points")
    log.close()


def test_a_run_taken_up_again_forgets_the_rows_after_its_checkpoint(tmp_path):
    write(tmp_path, 0, 8)
    write(tmp_path, 5, 6)
    assert [row["step"] for row in read(tmp_path)] == [1, 2, 3, 4, 5, 6]


def test_a_line_that_was_cut_off_is_left_out(tmp_path):
    write(tmp_path, 0, 3)
    path = tmp_path / "log.jsonl"
    path.write_text(path.read_text()[:-9])
    assert [row["step"] for row in read(tmp_path)] == [1, 2]
    write(tmp_path, 2, 3)
    assert [json.loads(line)["step"] for line in path.read_text().splitlines()] == [1, 2, 3]


def test_a_damaged_line_that_is_not_the_last_is_said_and_nothing_is_dropped(tmp_path):
    write(tmp_path, 0, 3)
    path = tmp_path / "log.jsonl"
    lines = path.read_text().splitlines()
    damaged = "\n".join([lines[0], lines[1][:-5], lines[2]]) + "\n"
    path.write_text(damaged)
    with pytest.raises(BadInput, match=r"log\.jsonl, line 2: this line is damaged"):
        Log(tmp_path, 3)
    assert path.read_text() == damaged


def test_numbers_of_fractions_come_back_to_the_bit(tmp_path):
    log = Log(tmp_path)
    log.write("step", 1, loss=0.1 + 0.2, small=1e-300)
    log.close()
    assert read(tmp_path)[0]["loss"] == 0.1 + 0.2
    assert read(tmp_path)[0]["small"] == 1e-300


def test_of_several_processes_one_writes(tmp_path):
    log = Log(tmp_path, writes=False)
    log.write("step", 1, loss=1.0)
    log.close()
    assert list(tmp_path.iterdir()) == []
    assert not log.writes


def test_points_are_written_for_tensorboard_where_its_writer_is_installed(tmp_path):
    from tensorboardX.proto.event_pb2 import Event

    write(tmp_path, 0, 3)
    (path,) = tmp_path.glob("events.out.tfevents.*")
    data, points = path.read_bytes(), []
    while data:
        (size,) = struct.unpack("<Q", data[:8])
        found = Event.FromString(data[12 : 12 + size])
        points += [(value.tag, found.step, round(value.simple_value, 3)) for value in found.summary.value]
        data = data[16 + size :]
    assert points == [("step/loss", 1, 0.1), ("step/loss", 2, 0.2), ("step/loss", 3, 0.3)]
