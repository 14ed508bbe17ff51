"""A child that is stopped or hangs does not keep its parent from ending."""

import multiprocessing
import os
import signal
import time

import pytest

from wordworth.subprocesses import end


def wait(ready) -> None:
    ready.set()
    time.sleep(600)


def hang(ready) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    wait(ready)


def started(work):
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    member = context.Process(target=work, args=(ready,), daemon=True)
    member.start()
    assert ready.wait(60)
    return member


@pytest.fixture
def child(request):
    member = started(request.param)
    yield member
    member.kill()
    member.join()


@pytest.mark.parametrize("child", [wait], indirect=True)
def test_a_stopped_child_is_woken_and_ends_by_itself(child):
    os.kill(child.pid, signal.SIGSTOP)
    end([child], patience=60)
    assert child.exitcode == -signal.SIGTERM


@pytest.mark.parametrize("child", [hang], indirect=True)
def test_a_child_that_does_not_end_is_killed_after_the_limit(child):
    end([child], patience=0.2)
    assert child.exitcode == -signal.SIGKILL
