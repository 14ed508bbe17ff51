"""Commands on text killed at any moment of their work, from its first to its last: the same command ends the same."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.training.pretraining.conftest import PIECES, documents

from wordworth.training.pretraining.metrics_log import read

TOKENIZER = """
import sys
from pathlib import Path
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
corpus, out = map(Path, sys.argv[1:3])
Path(sys.argv[3]).touch()
train_tokenizer(corpus, out, TokenizerSettings(size=140))
"""
PRETRAIN = """
import sys
from pathlib import Path
import torch
from wordworth.training.pretraining import run_logger
from wordworth.training.pretraining.pretrain_and_adapt import run
run_logger.matmul_peak = lambda *_: 1e12  # it takes a second of a run that has two
corpus, out = map(Path, sys.argv[1:3])
small = ("modern", ["batch_size=8", "lengths=16,32", "first_phase_fraction=0.7", "dropout=0.1"])
Path(sys.argv[3]).touch()
run([corpus], out=out, tokenizer=corpus.with_name("tok"), recipe=small, held_out=corpus.with_name("other.txt"),
    threads=1, model_size="1x32", steps=20, evals=3, checkpoint_minutes=0.002, milestones=(0.5,))
"""
Work = Callable[[Path], subprocess.Popen[bytes]]


@pytest.fixture
def work(tmp_path) -> Callable[[str], Work]:
    """Starts a script on a corpus, into a folder; it has begun its work once this returns."""
    (tmp_path / "tok").mkdir()
    (tmp_path / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (tmp_path / "corpus.txt").write_text("\n\n".join(documents(0, 2000)))
    (tmp_path / "other.txt").write_text("\n\n".join(documents(1, 9)))

    def start(script: str, out: Path) -> subprocess.Popen[bytes]:
        begun = tmp_path / "begun"
        begun.unlink(missing_ok=True)
        process = subprocess.Popen([sys.executable, "-c", script, tmp_path / "corpus.txt", out, begun])
        while process.poll() is None and not begun.exists():
            time.sleep(0.005)
        return process

    return lambda script: lambda out: start(script, out)


def whole(work: Work, out: Path) -> float:
    """Let it work to its end; the seconds it took."""
    process, began = work(out), time.monotonic()
    assert process.wait() == 0
    return time.monotonic() - began


def killed(work: Work, out: Path, moment: float) -> bool:
    """Kill it at a moment of its work; whether it had not ended by itself."""
    process = work(out)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def files(folder: Path) -> dict[str, bytes]:
    """What a person would find."""
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*") if path.is_file()}


def made(out: Path) -> list:
    """What a run decided: model, tokenizer, milestone, token stores, and the rows of its log but for the clock."""
    rows = [{**row, "seconds": 0} for row in read(out / "training") if row["kind"] in {"step", "evaluation"}]
    (milestone,) = (out / "training" / "milestones").iterdir()
    stores = [out / "training" / "corpora" / name for name in ("0-corpus.txt", "held-out/0-other.txt")]
    return [rows, *map(files, (out, milestone, *stores))]


@pytest.mark.slow
def test_a_tokenizer_is_whole_or_not_there_whenever_its_training_is_killed(work, tmp_path):
    work, draw, out = work(TOKENIZER), random.Random(0), tmp_path / "out"
    seconds = whole(work, tmp_path / "whole")
    wanted = files(tmp_path / "whole")
    for _ in range(6):
        killed(work, out, draw.uniform(0, seconds))
        assert files(out).items() <= wanted.items()
    whole(work, out)
    assert files(out) == wanted
    assert not list(out.glob(".*"))


@pytest.mark.slow
def test_pretraining_from_text_killed_at_any_moment_makes_what_one_never_killed_makes(work, tmp_path):
    work, draw, out, kills = work(PRETRAIN), random.Random(0), tmp_path / "out", 0
    seconds = whole(work, tmp_path / "whole")
    wanted = made(tmp_path / "whole")
    while kills < 4:
        if killed(work, out, draw.uniform(0, seconds)):
            kills += 1
        else:  # it ended before its time: all must be right already, and the next kill meets a new run
            assert made(out) == wanted
            shutil.rmtree(out)
    whole(work, out)
    assert made(out) == wanted
    assert not list(out.rglob(".*.part"))
