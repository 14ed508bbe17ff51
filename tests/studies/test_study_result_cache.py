"""Parts of a study that were computed once are read by the same call, and by no other."""

from time import sleep

import numpy as np
import pytest

from wordworth.array_cache import ArrayCache
from wordworth.progress import NoProgress
from wordworth.studies.study_result_cache import FinishedParts


class Shown(NoProgress):
    """Progress and step in one, which keep what they are told."""

    def __init__(self):
        self.notes, self.advanced, self.skipped = [], 0, 0

    def note(self, message):
        self.notes.append(message)

    def advance(self, amount=1):
        self.advanced += amount

    def skip(self, amount):
        self.skipped += amount


def parts(folder, shown, *identity):
    made = FinishedParts.of("kind", shown, *identity)
    made.cache = ArrayCache(folder)
    return made


def computed(shown, calls):
    def compute():
        calls.append(1)
        shown.advance(8)
        return {"right": np.array([True, False]), "losses": (0.5, 0.25), "best": 2}

    return compute


def test_a_part_is_computed_once_and_then_skipped_with_one_note(tmp_path):
    shown, calls = Shown(), []
    for _ in range(3):
        part = parts(tmp_path, shown, "model", 0).arrays(("probe", 1), computed(shown, calls), shown, 8)
        assert part["right"].dtype == bool
        assert part["losses"].tolist() == [0.5, 0.25]
        assert int(part["best"]) == 2
    assert (len(calls), shown.advanced, shown.skipped) == (1, 8, 16)
    assert shown.notes == ["finished parts of the same study are read from the cache"] * 2
    again = parts(tmp_path, shown, "model", 0)
    for _ in range(2):
        again.arrays(("probe", 1), computed(shown, calls), shown, 8)
    assert len(shown.notes) == 3


def test_a_part_that_one_call_computes_and_reads_again_is_no_part_of_an_earlier_call(tmp_path):
    shown, calls = Shown(), []
    finished = parts(tmp_path, shown, "model", 0)
    for _ in range(2):
        finished.arrays(("probe", 1), computed(shown, calls), shown, 8)
    assert (len(calls), shown.skipped, shown.notes) == (1, 8, [])


@pytest.mark.parametrize(("identity", "name"), [
    (("another model", 0), ("probe", 1)), (("model", 1), ("probe", 1)), (("model", 0), ("probe", 2)),
])  # fmt: skip
def test_another_model_seed_or_name_is_another_part(tmp_path, identity, name):
    shown, calls = Shown(), []
    parts(tmp_path, shown, "model", 0).arrays(("probe", 1), computed(shown, calls))
    parts(tmp_path, shown, *identity).arrays(name, computed(shown, calls))
    assert len(calls) == 2


def test_a_part_that_is_stopped_is_not_kept(tmp_path):
    shown, calls = Shown(), []

    def stopped():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parts(tmp_path, shown).arrays(("probe",), stopped)
    parts(tmp_path, shown).arrays(("probe",), computed(shown, calls))
    assert len(calls) == 1


def test_seconds_of_work_are_those_that_the_parts_took_when_they_were_computed(tmp_path, monkeypatch):
    clock = iter([0.0, 60.0])
    monkeypatch.setattr("wordworth.array_cache.time.perf_counter", lambda: next(clock))
    shown, seconds = Shown(), {}
    parts(tmp_path, shown).arrays(("probe",), computed(shown, []))
    again = parts(tmp_path, shown)
    with again.timed(seconds, "probes"):
        again.arrays(("probe",), computed(shown, []))
    assert 60 <= seconds["probes"] < 70


def test_the_seconds_kept_are_those_of_the_parts_that_a_call_with_the_same_settings_has_finished(tmp_path, monkeypatch):
    clock = iter([0.0, 60.0, 0.0, 30.0])
    monkeypatch.setattr("wordworth.array_cache.time.perf_counter", lambda: next(clock))
    shown = Shown()
    first = parts(tmp_path, shown)
    assert first.seconds_kept() == 0
    first.arrays(("probe", 1), computed(shown, []))
    first.arrays(("probe", 2), computed(shown, []))
    parts(tmp_path, shown).arrays(("probe", 1), computed(shown, []))
    assert parts(tmp_path, shown).seconds_kept() == 90
    other = parts(tmp_path, shown)
    other.call = (64,)
    assert other.seconds_kept() == 0
    next(tmp_path.glob("*/*.npy")).unlink()
    assert parts(tmp_path, shown).seconds_kept() in (30, 60)


def test_a_part_that_is_read_twice_or_was_computed_in_this_call_counts_once(tmp_path, monkeypatch):
    clock = iter([0.0, 60.0, 0.0, 30.0])
    monkeypatch.setattr("wordworth.array_cache.time.perf_counter", lambda: next(clock))
    shown, seconds = Shown(), {}
    parts(tmp_path, shown).arrays(("probe", 1), computed(shown, []))
    again = parts(tmp_path, shown)
    with again.timed(seconds, "probes"):
        for number in (1, 1, 2, 2):
            again.arrays(("probe", number), computed(shown, []))
    assert 59 < seconds["probes"] < 61  # the second part takes the test's own clock no time


def test_the_time_of_reading_parts_is_no_time_of_work(tmp_path, monkeypatch):
    shown, seconds = Shown(), {}
    parts(tmp_path, shown).arrays(("probe",), computed(shown, []))
    again = parts(tmp_path, shown)
    real = again.cache.array

    def slow(key, compute):
        sleep(0.3)
        return real(key, compute)

    monkeypatch.setattr(again.cache, "array", slow)
    with again.timed(seconds, "probes"):
        again.arrays(("probe",), computed(shown, []))
    assert seconds["probes"] < 0.2
