"""Timing in turns: what is on the clock and what is not."""

import time

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
