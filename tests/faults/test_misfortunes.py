"""What is nobody's mistake: a full disk, Ctrl-C, too little memory, odd texts. One line, and nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import click
import pytest
import torch
from tests.cli.terminal import reviews, wordworth
from tests.faults.made_up_study import STOPPED_AT
from tests.models.tiny import write_tiny
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant

import wordworth as ww
from wordworth.cli.app import app
from wordworth.studies.worth import rungs as rungs_module
from wordworth.studies.worth import study

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def data(tmp_path):
    return reviews(tmp_path / "reviews.csv", 400)


@pytest.fixture
def made_up(monkeypatch):
    """A ladder that costs nothing, in this process."""
    rungs = [MAJORITY, FakeRung("tfidf", "counts", constant(0.7)), FakeRung("bert", "frozen", constant(0.9))]
    monkeypatch.setattr(rungs_module, "default_ladder", lambda *_, **__: rungs)


def said(outcome, *parts):
    assert outcome.code == 2
    *progress, error = outcome.err.splitlines()
    assert all(line.startswith("On this machine, ") or line.endswith("…") for line in progress)  # on a slow machine
    assert error.startswith("wordworth: ")
    assert all(part in error for part in parts)


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def refuse(number):
    def write(*_, **__):
        raise OSError(number, os.strerror(number))

    return write


def process(log, *words, cache, **options):
    """The made-up study as a process of its own."""
    command = [sys.executable, "-m", "tests.faults.made_up_study", str(log), *map(str, words)]
    env = {**os.environ, "WORDWORTH_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, cwd=ROOT, stderr=subprocess.PIPE, text=True, **options)


@pytest.mark.usefixtures("made_up")
def test_a_folder_that_cannot_be_written_is_found_before_the_work(data, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", refuse(errno.EROFS))
    monkeypatch.setattr(study, "read_task", lambda *_: pytest.fail("the work had begun"))
    said(wordworth("worth", data, "--out", tmp_path / "run"), "run", "cannot write: the disk is read-only", "--out")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "reason"), [(errno.ENOSPC, "the disk is full"), (errno.EDQUOT, "quota")])
@pytest.mark.usefixtures("made_up")
def test_a_disk_that_fills_up_leaves_the_old_results_as_they_were(data, tmp_path, monkeypatch, number, reason):
    out = tmp_path / "run"
    assert wordworth("worth", data, "--out", out).code == 0
    before = {path: path.read_bytes() for path in files(out)}
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", refuse(number))
        outcome = wordworth("worth", data, "--seed", 1, "--out", out)
    note, *_, error = outcome.err.splitlines()  # between them progress, on a slow machine
    assert "holds a study with seed=0" in note
    said(replace(outcome, err=error), f"{out}", "cannot write", reason, "free some space")
    assert {path: path.read_bytes() for path in files(out)} == before


@pytest.mark.slow
def test_a_write_that_the_system_cuts_short_leaves_nothing(data, tmp_path):
    """A real one: files of this process may not grow past 2,000 bytes; the record is longer."""

    def starve():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    log, out = tmp_path / "log", tmp_path / "run"
    log.with_suffix(".go").touch()
    child = process(log, "worth", data, "--out", out, cache=tmp_path / "cache", preexec_fn=starve)
    _, errors = child.communicate(timeout=120)
    assert child.returncode == 2
    assert errors.splitlines()[-1].startswith(f"wordworth: {out / 'record.json'}: cannot write: ")
    assert files(out) == []
    assert [path for path in files(tmp_path / "cache") if path.suffix == ".part"] == []


@pytest.mark.usefixtures("made_up")
def test_out_of_memory_names_the_rung_and_what_to_make_smaller(data, tmp_path, monkeypatch):
    def starve(*_):
        raise MemoryError

    monkeypatch.setattr(FakeLearner, "fit", starve)
    said(wordworth("worth", data, "--out", tmp_path / "run"), "rung ", "ran out of memory", "use --quick or fewer rows")
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("made_up")
def test_out_of_memory_in_torch_is_the_same(data, tmp_path, monkeypatch):
    monkeypatch.setattr(FakeLearner, "fit", lambda *_: torch.empty(2**60))
    said(wordworth("worth", data, "--out", tmp_path / "run"), "ran out of memory", "--quick")


@pytest.mark.parametrize(
    ("command", "choice"), [("finetune", "--batch-size"), ("pretrain", "--micro-batch-tokens"), ("adapt", "--override")]
)
@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")])
def test_out_of_memory_advises_what_the_command_can_be_told(monkeypatch, command, choice, error):
    def starve(*_, **__):
        raise error

    taught = app.get_command(click.Context(app), command)
    assert choice in {name for option in taught.params for name in option.opts}
    monkeypatch.setattr(taught, "callback", starve)
    outcome = wordworth(
        command, *{"adapt": ("m", "--corpus", "c", "--out", "o"), "pretrain": ("c", "--out", "o")}.get(command, ())
    )
    said(outcome, "ran out of memory", choice)
    assert "--quick" not in outcome.err


@pytest.mark.usefixtures("made_up")
def test_a_bug_keeps_its_traceback(data, tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(FakeLearner, "fit", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        wordworth("worth", data, "--out", tmp_path / "run")


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_is_clean_and_the_same_command_reads_what_was_kept(data, tmp_path, sent):
    log, out, cache = tmp_path / "log", tmp_path / "run", tmp_path / "cache"
    words = ("worth", data, "--threads", 1, "--out", out)
    child = process(log, *words, cache=cache)
    while not log.exists() or len(log.read_text().splitlines()) < STOPPED_AT:
        assert child.poll() is None
        time.sleep(0.02)
    child.send_signal(sent)
    time.sleep(1)  # the child has taken the signal before the fit that it waits in goes on
    log.with_suffix(".go").touch()
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert errors.splitlines()[-1] == (
        "wordworth: stopped; nothing half-written is left, and the same command reads what was kept: vectors, and the "
        "fits of fine-tuning and of taggers after the first on all labels; other fits are made again"
    )
    assert "Traceback" not in errors
    assert files(out) == []
    stopped = len(log.read_text().splitlines())
    again = process(log, *words, cache=cache)
    assert again.wait(timeout=120) == 0
    again.stderr.close()
    whole = len(ww.read_record(out / "record.json").table("runs").query("rung == 'bert'"))
    more = len(log.read_text().splitlines()) - stopped
    assert whole - stopped <= more - 1 < whole - 1  # the first run on all labels is made again, for its costs
    assert {"record.json", "report.html"} <= {path.name for path in files(out)}
    assert not [path for path in files(out) if path.name.endswith(".part")]


NASTY = [
    "long " * 10_000,
    "😀👩‍👩‍👧‍👦🏳️‍🌈 emoji",
    "שלום עולם، مرحبا بالعالم",
    "\u202eright to left\u202c and\u200b zero width",
    "bell \x07 escape \x1b[31m form feed \x0c",
    "<script>alert('text')</script><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} {% raw %} ${x} %s",
    "   ",
]


@pytest.mark.slow
def test_texts_of_every_kind_are_read_counted_and_shown_as_text(tmp_path):
    """Long, bidirectional, control characters, markup; texts that repeat with other labels; a class of one example."""
    plain = [line.rpartition(",") for line in reviews(tmp_path / "r.csv", 80).read_text().splitlines()[1:]]
    rows = [{"text": text, "label": label} for text, _, label in plain]
    rows += [{"text": text, "label": label} for text in NASTY for label in ("good", "bad")]
    rows += [{"text": "the only one of its kind", "label": "<b>rare</b>"}]
    path = tmp_path / "nasty.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    model, out = write_tiny(tmp_path / "tiny"), tmp_path / "run"
    chosen = ("--rung", "tfidf", "--rung", "tiny")
    options = ("--model", model, *chosen, "--seeds", 2, "--quick", "--no-finetune", "--out", out)
    outcome = wordworth("worth", path, *options)
    assert outcome.code == 0
    record = ww.read_record(out / "record.json")
    warned = {finding.name for finding in record.findings if finding.name.startswith("warning.")}
    assert any("duplicate" in name or "conflict" in name for name in warned)
    assert any("rare" in name or "class" in name for name in warned)
    assert record.data["words_max"] == 10_000
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "<b>rare</b>" not in html
    assert "\x1b" not in outcome.out
