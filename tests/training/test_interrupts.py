"""A training that is asked to stop ends its step first; a second Ctrl-C does not wait."""

import os
import signal
import threading

import pytest

from wordworth.training.interrupts import stop_signals


def send(number):
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_only_asks(number):
    with stop_signals() as stop_requested:
        before = stop_requested()
        send(number)
        after = stop_requested()
    assert (before, after) == (False, True)


def test_a_second_ctrl_c_stops_at_once():
    def stop_twice():
        with stop_signals():
            send(signal.SIGTERM)
            send(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        stop_twice()


def test_a_second_sigterm_does_not_as_clusters_send_it_twice():
    with stop_signals() as stop_requested:
        send(signal.SIGTERM)
        send(signal.SIGTERM)
        assert stop_requested()


def test_afterwards_signals_do_what_they_did_before():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    def fail():
        with stop_signals():
            raise ValueError("diverged")

    with pytest.raises(ValueError, match="diverged"):
        fail()
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_thread_that_cannot_have_signals_is_never_asked():
    answers = []

    def work():
        with stop_signals() as stop_requested:
            answers.append(stop_requested())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert answers == [False]
