"""What commands and functions print and return, read when the fixtures are made and again by the tests."""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import wordworth as ww
from wordworth.cli.app import app
from wordworth.progress import STILL, NoProgress, Progress, Step

TEXTS = ["the film was good and great", "a boring book"]
_DIGITS, _FEW = 5, 12
_LATER = re.compile(r"input|row|prediction|probability_.*")
"""Names in an answer that the first version did not write: the row, and the columns of a table of answers."""
_LAST_LINE = re.compile(r"\d+ steps, [\d,]+ tokens, loss (\d+\.\d+)")


def command(line: str, *more: object) -> str:
    """Run a command line in this process, `more` behind it; what it wrote to the screen, notes among it."""
    screen = io.StringIO()
    with redirect_stdout(screen), redirect_stderr(screen):
        app([*line.split(), *map(str, more)], standalone_mode=False)
    return " ".join(screen.getvalue().split())


class Listener(NoProgress):
    """A progress that counts what of some work was found done, and what was done; and keeps the notes."""

    def __init__(self, work: str) -> None:
        self.work, self.skipped, self.done, self.notes = work, 0.0, 0.0, ""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Listen to the work that is meant."""
        yield self if title.startswith(self.work) else STILL

    def advance(self, amount: float = 1) -> None:
        """Count what is done."""
        self.done += amount

    def skip(self, amount: float) -> None:
        """Count what was found done."""
        self.skipped += amount

    def note(self, message: str) -> None:
        """Keep it."""
        self.notes += f"{message}\n"


def heard(line: str, out: Path | str, progress: Progress) -> str:
    """As `command`, with its progress heard by a listener and not on the screen."""
    name = line.partition(" ")[0]
    progress_class = "progress" if name in {"pretrain", "adapt"} else "Bars"
    with patch(f"wordworth.cli.{name}.{progress_class}", lambda: progress):
        return command(line, out)


def loss(screen: str) -> float:
    """The loss that a pretraining run ends with, as its last line says."""
    last_line = _LAST_LINE.search(screen)
    assert last_line is not None, screen
    return float(last_line[1])


def vectors(folder: Path | str) -> list[list[float]]:
    """The vectors of two texts by a model or a table on disk."""
    return np.round(ww.load(str(folder)).encode(TEXTS).astype(float), _DIGITS).tolist()


def answers(run: Path | str, source: Path | str) -> list[dict[str, Any]]:
    """What a fine-tuned model says of the first rows of a file, without what later versions write beside it."""
    target = Path("answers.jsonl")
    ww.predict(run, source, target, dtype="float32")
    lines = map(json.loads, target.read_text(encoding="utf-8").splitlines()[:_FEW])
    return [{name: value for name, value in line.items() if not _LATER.fullmatch(name)} for line in lines]


def charts(record: Path | str) -> int:
    """How many charts the page of a record has."""
    command("page", record, "--out", "page.html")
    return Path("page.html").read_text(encoding="utf-8").count("<svg")


def machine() -> dict[str, str]:
    """What the last bits of numbers depend on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else [platform.processor()]
    known = sorted({line for line in lines if line.startswith(("model name", "flags"))})
    return {"torch": version("torch"), "processor": hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]}
