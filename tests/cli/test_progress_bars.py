"""What a log without a terminal shows while work is under way."""

from __future__ import annotations

import io
import re
import time

import pytest
from rich.console import Console

from wordworth.cli import progress_bars
from wordworth.cli.progress_bars import Bars
from wordworth.sentence_formatting import duration


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test sets."""
    now = [0.0]
    monkeypatch.setattr(progress_bars.time, "monotonic", lambda: now[0])
    return now


def test_work_that_lasts_is_named_before_it_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(progress_bars, "_QUIET_S", 0.01)
    with Bars().step("embedding with minilm", 100):
        time.sleep(0.2)
    assert capsys.readouterr().err == "embedding with minilm …\n"


@pytest.mark.parametrize(("total", "line"), [(100, r"learning: 0 %, \d+ s so far"), (None, r"learning: \d+ s so far")])
def test_work_that_shows_no_progress_still_gives_a_sign_of_life(monkeypatch, capsys, total, line):
    monkeypatch.setattr(progress_bars, "_QUIET_S", 0.01)
    monkeypatch.setattr(progress_bars, "_STILL_S", 0.05)
    with Bars().step("learning", total):
        time.sleep(0.5)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "learning …"
    assert said[1:]
    assert all(re.fullmatch(line, each) for each in said[1:])


def test_work_that_is_soon_done_says_nothing(capsys):
    with Bars().step("reading", 100) as step:
        step.advance(100)
    assert capsys.readouterr().err == ""


def test_the_time_left_is_told_once_a_twentieth_is_done_and_in_words(clock, capsys):
    with Bars().step("learning", 1_000) as step:
        for second, amount in ((20, 1), (400, 99), (500, 100)):
            clock[0] = second
            step.advance(amount)
    assert capsys.readouterr().err.splitlines() == [
        "learning: 0 %, 20 s so far", "learning: 10 %, about 58 min left", "learning: 20 %, about 32 min left"
    ]  # fmt: skip


def test_what_was_done_another_time_counts_as_done_and_not_as_speed(clock, capsys):
    with Bars().step("learning", 1_000) as step:
        step.skip(500)
        for second, amount in ((20, 1), (100, 99)):
            clock[0] = second
            step.advance(amount)
    assert capsys.readouterr().err.splitlines() == ["learning: 50 %, 20 s so far", "learning: 60 %, about 5 min left"]


def test_work_that_was_all_done_another_time_has_nothing_left(monkeypatch, capsys):
    monkeypatch.setattr(progress_bars, "_QUIET_S", 0.01)
    monkeypatch.setattr(progress_bars, "_STILL_S", 0.05)
    with Bars().step("learning", 10) as step:
        step.skip(10)
        time.sleep(0.2)
    assert "learning: 100 %, 0 s so far" in capsys.readouterr().err


def test_a_bar_on_a_terminal_forgets_the_speed_of_what_was_done_another_time(monkeypatch):
    shown = Bars()
    monkeypatch.setattr(shown, "console", Console(force_terminal=True, file=io.StringIO()))
    with shown.step("learning", 1.0) as step:
        step.skip(0.25)
        step.skip(0.25)
        (task,) = step.bars.tasks
        assert task.completed == 0.5
        assert task.speed is None
        began = task.start_time
        step.skip(0)
        assert task.start_time == began


@pytest.mark.parametrize(("seconds", "words"), [(8.4, "8 s"), (119, "2 min"), (7_000, "117 min"), (341_959, "95 h")])
def test_a_time_is_no_finer_than_it_is_known(seconds, words):
    assert duration(seconds) == words


def test_a_slow_start_does_not_count_as_speed(clock, capsys):
    with Bars().step("learning", 1_000) as step:
        for second, amount in ((60, 50), (65, 50), (75, 100)):
            clock[0] = second
            step.advance(amount)
    assert capsys.readouterr().err.splitlines() == ["learning: 5 %, 1 min so far", "learning: 20 %, about 1 min left"]
