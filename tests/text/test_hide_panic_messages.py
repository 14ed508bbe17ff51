"""What a library prints about its own failure is hidden; what is printed otherwise is not lost."""

import os
import threading

import pytest

from wordworth.text.hide_panic_messages import hide_panic_messages


def say(words):
    os.write(2, f"{words}\n".encode())


def test_what_is_printed_before_an_error_is_hidden(capfd):
    def fail():
        with hide_panic_messages():
            say("thread panicked")
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    say("after")
    assert capfd.readouterr().err == "after\n"


def test_what_is_printed_where_nothing_fails_appears(capfd):
    with hide_panic_messages():
        say("a warning")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "a warning\n"


def test_two_threads_may_hide_at_the_same_time(capfd):
    inside, done = threading.Barrier(3), threading.Event()

    def work():
        with hide_panic_messages():
            inside.wait(20)
            done.wait(20)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    inside.wait(20)
    say("from a third thread")
    done.set()
    for thread in threads:
        thread.join(20)
    say("after")
    assert capfd.readouterr().err == "from a third thread\nafter\n"


def test_without_standard_error_the_body_runs(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    with hide_panic_messages():
        reached = True
    assert reached


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="files in memory are Linux's")
def test_no_temporary_folder_is_needed(capfd, monkeypatch):
    with monkeypatch.context() as changed:
        changed.setattr("tempfile.tempdir", "/nowhere")
        with hide_panic_messages():
            say("a warning")
    assert capfd.readouterr().err == "a warning\n"
