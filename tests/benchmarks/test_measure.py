"""Timing in turns: what is on the clock and what is not."""

import subprocess
import time

import pytest

import measure


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
    assert measure.recorded_part(out, "cells") == {"a": 1, "b": 3}
    assert capsys.readouterr().out == "b 3\n"


@pytest.mark.parametrize("text", ["[]", '{"rows": []}', "not JSON"])
def test_a_file_that_is_no_record_of_the_benchmark_is_refused_with_one_line(text, tmp_path, capsys):
    out = tmp_path / "record.json"
    out.write_text(text)
    with pytest.raises(SystemExit) as stopped:
        measure.in_parts([("a", lambda: 2)], "cells", out)
    assert stopped.value.code == 2
    assert capsys.readouterr().err == f"{out} is no record of this benchmark: it has no 'cells'; give another --out\n"
    assert out.read_text() == text


def test_a_process_that_fails_says_why(tmp_path, capfd):
    script = tmp_path / "fails.py"
    script.write_text("raise ValueError('too few rows')\n")
    with pytest.raises(subprocess.CalledProcessError):
        measure.in_processes(script, ["one"], [1], 1)
    assert "too few rows" in capfd.readouterr().err
