"""When a child process dies, the user reads why and what to do."""

import multiprocessing
import os
import signal
import time

import pytest

from wordworth.subprocesses import UNGUARDED, available_cpus, child_death, end, ignore_sigint


class Dead:
    """A process that has ended."""

    def __init__(self, exitcode):
        self.exitcode = exitcode


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ([None, 0], "a process died"),
        ([0, 3], "a process died with exit code 3: its own error is above"),
        ([-signal.SIGKILL], "a process died of SIGKILL: memory ran out, or it was ended from outside"),
        ([-signal.SIGSEGV], "a process died of SIGSEGV"),
        ([-signal.SIGTERM, -signal.SIGKILL], "a process died of SIGKILL: memory ran out, or it was ended from outside"),
        ([3, UNGUARDED], "this script runs again in every process that it starts, as it has no guard"),
    ],
)
def test_the_cause_is_read_from_the_exit_codes(codes, words):
    assert child_death([Dead(code) for code in codes], "try again").what == words


def test_a_script_without_a_guard_is_shown_the_guard():
    assert '__name__ == "__main__"' in child_death([Dead(UNGUARDED)], "").mend


def test_only_cores_that_this_process_may_use_count(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert available_cpus() == 2


def test_children_do_not_see_ctrl_c_and_the_parent_does_again_afterwards():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with ignore_sigint():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def _ignores_sigterm(ready):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ready.set()
    time.sleep(60)


def test_a_child_that_does_not_end_is_killed_when_patience_is_over():
    context = multiprocessing.get_context("fork")
    ready = context.Event()
    child = context.Process(target=_ignores_sigterm, args=(ready,), daemon=True)
    child.start()
    assert ready.wait(20)
    began = time.monotonic()
    end([child], patience=0.2)
    assert child.exitcode == -signal.SIGKILL
    assert time.monotonic() - began < 30


def test_a_stopped_child_ends_too():
    context = multiprocessing.get_context("fork")
    child = context.Process(target=time.sleep, args=(60,), daemon=True)
    child.start()
    os.kill(child.pid, signal.SIGSTOP)
    end([child], patience=20)
    assert child.exitcode == -signal.SIGTERM
