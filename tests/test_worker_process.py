"""A worker process gives what a call in this process gives, and says how it ended where it gives nothing."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from wordworth.errors import BadInput, NotEnoughMemory, WordworthError
from wordworth.worker_process import WorkerPool, WorkerProcess


def total(*numbers, report):
    for number in range(len(numbers)):
        report((number + 1) / len(numbers))
    return sum(numbers), os.getpid()


def refuse(*, report):  # noqa: ARG001 - every function of a worker takes it
    raise BadInput("no such column", where="line 3", mend="name another")


def print_much(*, report):  # noqa: ARG001 - every function of a worker takes it
    print("x" * 100_000, flush=True)  # noqa: T201 - a library may print
    return "done"


def die_of(number, *, report):  # noqa: ARG001 - every function of a worker takes it
    os.kill(os.getpid(), number)
    time.sleep(60)


def leave(code, *, report):  # noqa: ARG001 - every function of a worker takes it
    os._exit(code)


def sleep(seconds, *, report):
    report(0.5)
    time.sleep(seconds)


@pytest.fixture
def worker():
    with closing(WorkerProcess()) as made:
        yield made


def test_a_worker_returns_what_the_function_returns_and_reports_its_progress(worker):
    reports = []
    result, process = worker.call(total, 2, 3, 5, report=reports.append)
    assert result == 10
    assert process != os.getpid()
    assert reports == [1 / 3, 2 / 3, 1.0]
    assert worker.call(total, 1) == (1, process)


def test_an_error_of_the_function_is_raised_here_with_its_words_and_the_worker_goes_on(worker):
    with pytest.raises(BadInput, match="no such column") as caught:
        worker.call(refuse)
    assert (caught.value.where, caught.value.mend) == ("line 3", "name another")
    assert worker.call(total, 4)[0] == 4


def test_what_a_library_prints_is_no_reply(tmp_path):
    done = run_script(tmp_path, "print(worker.call(print_much))")
    assert done.stdout.split() == ["done"]
    assert "xxx" in done.stderr


def test_a_killed_worker_counts_as_memory_that_ran_out(worker):
    with pytest.raises(MemoryError):
        worker.call(die_of, signal.SIGKILL)
    assert not worker.is_ready


def test_a_worker_that_dies_of_something_else_is_a_clear_error(worker):
    with pytest.raises(WordworthError, match="exit code 3"):
        worker.call(leave, 3)


def test_a_worker_whose_call_was_broken_off_takes_no_other(worker):
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker.call(total, 1, report=interrupt)
    assert not worker.is_ready


def test_arguments_that_cannot_be_sent_leave_the_worker_ready(worker):
    with pytest.raises((TypeError, AttributeError)):
        worker.call(total, threading.Lock())
    assert worker.call(total, 4)[0] == 4


def test_a_pool_starts_as_many_workers_as_call_at_once_and_uses_them_again():
    with closing(WorkerPool()) as pool:
        first = pool.call(total, 1)[1]
        assert pool.call(total, 1)[1] == first
        inside = threading.Event()
        beside = threading.Thread(target=lambda: pool.call(sleep, 1.0, report=lambda _: inside.set()))
        beside.start()
        assert inside.wait(60)
        assert pool.call(total, 1)[1] != first
        beside.join()


def test_a_closed_pool_leaves_no_process_and_starts_none():
    pool = WorkerPool()
    process = pool.call(total, 1)[1]
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(WordworthError, match="closed"):
        pool.call(total, 1)


def test_a_worker_ends_when_its_parent_is_killed(tmp_path):
    script = (
        "import os, signal, time\nfrom tests.test_worker_process import sleep, total\n"
        "from wordworth.worker_process import WorkerProcess\n"
        "worker = WorkerProcess()\nprint(worker.call(total, 1)[1], flush=True)\nworker.call(sleep, 600)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=env, cwd=tmp_path) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    latest = time.monotonic() + 30
    while Path(f"/proc/{worker}/cmdline").is_file() and Path(f"/proc/{worker}/cmdline").read_bytes():
        assert time.monotonic() < latest, "the worker goes on without its parent"
        time.sleep(0.1)


def test_a_file_of_the_working_folder_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "pickle.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(tmp_path)
    with closing(WorkerProcess()) as worker:
        assert worker.call(total, 1)[0] == 1


def test_a_script_without_a_guard_is_not_run_again(tmp_path):
    assert run_script(tmp_path, "print('once')\nprint(worker.call(total, 2, 3)[0])").stdout.split() == ["once", "5"]


def run_script(folder, lines):
    """Run a script that has a worker, in a process of its own."""
    script = folder / "script.py"
    script.write_text(
        "from tests.test_worker_process import print_much, total\n"
        "from wordworth.worker_process import WorkerProcess\n"
        f"worker = WorkerProcess()\n{lines}\nworker.close()\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([sys.executable, script], capture_output=True, text=True, env=env, check=True)


def test_errors_of_our_own_keep_their_class_across_the_pipe(worker):
    with pytest.raises(NotEnoughMemory):
        worker.call(raise_memory)


def raise_memory(*, report):  # noqa: ARG001 - every function of a worker takes it
    raise NotEnoughMemory("the machine ran out of memory", where="rung x")
