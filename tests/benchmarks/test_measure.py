"""Timing in turns: what is on the clock and what is not."""

import json
import subprocess
import time

import pytest

import measure
from wordworth.errors import BadInput


def test_what_makes_a_prepared_work_ready_is_not_on_the_clock(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def passes(seconds):
        clock[0] += seconds

    def ready():
        passes(100.0)
        return lambda: passes(2.0)

    assert measure.in_turns({"one": ready, "other": ready}, 3, prepared=True) == {"one": [2.0] * 3, "other": [2.0] * 3}


def test_the_first_work_changes_every_round():
    order = []
    works = {name: lambda name=name: order.append(name) for name in "ab"}
    measure.in_turns(works, 2)
    assert order == ["a", "b", "b", "a"]


def test_the_versions_of_all_that_is_compared_are_told():
    assert {"wordworth", "model2vec", "gensim", "sentence-transformers"} <= set(measure.machine()["versions"])


def test_what_a_record_holds_is_not_computed_again(tmp_path, capsys):
    out = tmp_path / "record.json"
    out.write_text('{"cells": {"a": 1}}')
    measure.in_parts([("a", lambda: 2), ("b", lambda: 3)], "cells", out)
    assert json.loads(out.read_text())["cells"] == {"a": 1, "b": 3}
    assert capsys.readouterr().out == "b 3\n"


def test_a_file_that_is_no_record_of_the_benchmark_is_refused_and_left(tmp_path):
    out = tmp_path / "record.json"
    out.write_text('{"rows": []}')
    with pytest.raises(BadInput, match=r"record\.json: this file is damaged: no field 'cells'; give another `out`"):
        measure.in_parts([("a", lambda: 2)], "cells", out)
    assert out.read_text() == '{"rows": []}'


def test_the_file_of_a_data_set_is_found_compressed_or_not_and_a_missing_one_is_bad_input(tmp_path):
    (tmp_path / "dev.csv.xz").write_bytes(b"")
    assert measure.data_file(tmp_path, "train.csv*", "dev.csv*").name == "dev.csv.xz"
    with pytest.raises(BadInput, match=r"there is no file test\.csv\*; set WORDWORTH_DATA"):
        measure.data_file(tmp_path, "test.csv*")


def test_a_process_that_fails_says_why(tmp_path, capfd):
    script = tmp_path / "fails.py"
    script.write_text("raise ValueError('too few rows')\n")
    with pytest.raises(subprocess.CalledProcessError):
        measure.in_processes(script, ["one"], [1], 1)
    assert "too few rows" in capfd.readouterr().err
