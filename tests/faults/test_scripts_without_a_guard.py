"""A script without `if __name__ == "__main__":` runs again in every process that is spawned: one error says so."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap

import pytest
from tests.cli.terminal import reviews
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.subprocesses import UNGUARDED, child_death, require_main_guard

CALL = 'wordworth.finetune(data="reviews.csv", model="model", out="out", epochs=0.2, restarts=2, processes=2)'


def run(folder, script):
    (folder / "script.py").write_text(textwrap.dedent(script))
    line = [sys.executable, "script.py"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    reviews(tmp_path / "reviews.csv", 60)
    write_tiny(tmp_path / "model")
    return tmp_path


@pytest.mark.slow
def test_a_script_without_a_guard_gets_one_error_that_names_the_guard(folder):
    done = run(folder, f"import wordworth\n{CALL}\nprint('ended')\n")
    assert done.returncode != 0
    assert done.stderr.count("as it has no guard") == 1
    last = done.stderr.splitlines()[-1]
    assert "script.py: this script runs again in every process that it starts" in last
    assert '`if __name__ == "__main__":`' in last
    for false_cause in ("memory ran out", "another process is at work"):
        assert false_cause not in done.stderr
    assert "ended" not in done.stdout


@pytest.mark.slow
def test_nothing_waits_for_a_process_that_died_before_it_had_read_what_it_was_sent(folder):
    reviews(folder / "reviews.csv", 3_000)  # more than a pipe holds
    done = run(folder, f"import wordworth\n{CALL}\n")
    assert "as it has no guard" in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_script_with_the_guard_runs(folder):
    done = run(folder, f"import wordworth\nif __name__ == '__main__':\n    {CALL}\n    print('ended')\n")
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr


@pytest.mark.slow
def test_processes_of_the_script_itself_are_told_of_the_guard_too(folder):
    script = """
        import multiprocessing
        import wordworth
        wordworth.worth("reviews.csv", models="none", rungs="tfidf", out="out")
        child = multiprocessing.get_context("spawn").Process(target=print, args=("in the child",))
        child.start()
        child.join()
        print(child.exitcode)
    """
    done = run(folder, script)
    assert done.stdout.splitlines() == ["1"], done.stderr
    assert "BadInput" in done.stderr
    assert '`if __name__ == "__main__":`' in done.stderr


class Dead:
    def __init__(self, exitcode):
        self.exitcode = exitcode


@pytest.mark.parametrize(
    ("codes", "says"),
    [
        ([0, -signal.SIGTERM, -signal.SIGKILL], "died of SIGKILL: memory ran out, or it was ended from outside; go on"),
        ([-signal.SIGSEGV], "a process died of SIGSEGV; go on"),
        ([-signal.SIGTERM, 1], "a process died with exit code 1: its own error is above; go on"),
        ([None], "a process died; go on"),
        ([-signal.SIGKILL, UNGUARDED], "as it has no guard"),
    ],
)
def test_a_dead_process_is_said_to_have_died_of_what_its_exit_code_tells(codes, says):
    assert says in str(child_death(map(Dead, codes), "go on"))


def test_only_a_process_that_imports_the_script_again_is_stopped(monkeypatch):
    require_main_guard()
    monkeypatch.setattr(multiprocessing.current_process(), "_inheriting", True, raising=False)
    monkeypatch.setenv("WORDWORTH_STARTED_BY", "0")
    with pytest.raises(BadInput, match="as it has no guard"):
        require_main_guard()
    monkeypatch.setenv("WORDWORTH_STARTED_BY", str(os.getppid()))
    with pytest.raises(SystemExit):
        require_main_guard()
