"""A worker process that the system kills, as it does where memory is short, stops the study with one clear error."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from tests.cli.terminal import reviews, wordworth
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth import registry
from wordworth.representations import finetuned_encoder

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="lists the processes as Linux does")


def kill_a_worker(stop: threading.Event) -> None:
    """Kill the first worker process of this process, once there is one."""
    while not stop.is_set():
        for children in Path("/proc/self/task").glob("*/children"):
            for child in children.read_text().split():
                if b"wordworth.worker_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
                    return
        time.sleep(0.01)


def test_a_killed_worker_is_one_error_that_says_how_to_mend_it_and_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(finetuned_encoder, "_LONG_FIT", 0)
    monkeypatch.setattr(registry, "_CALLERS", set())
    model, out, stop = write_tiny_encoder(tmp_path / "tiny"), tmp_path / "out", threading.Event()
    killer = threading.Thread(target=kill_a_worker, args=(stop,))
    killer.start()
    try:
        done = wordworth(
            "worth",
            reviews(tmp_path / "reviews.csv", 120),
            *("--models", model, "--rungs", "tiny-finetuned", "--threads", 2, "--seeds", 2, "--out", out),
        )
    finally:
        stop.set()
        killer.join()
    assert done.code == 2
    assert "the machine ran out of memory" in done.err
    assert "tiny-finetuned" in done.err
    assert "--quick or fewer rows" in done.err
    assert not (out / "record.json").exists()
