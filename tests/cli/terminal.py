"""The command line as a user meets it, in this process: words in; exit code, output and errors out."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from wordworth.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code, and what it wrote."""

    code: int
    out: str
    err: str


def wordworth(*words: object) -> Outcome:
    """Run `wordworth words...`; a bug comes through as the exception that it is."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("sys.argv", ["wordworth", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            main()
    return Outcome(int(stopped.value.code or 0), out.getvalue(), err.getvalue())


def reviews(path: Path, rows: int = 160) -> Path:
    """A CSV of made-up reviews that a bag of words can tell apart nine times in ten."""
    draw = np.random.default_rng(0)
    tones = {"good": ["bright", "warm", "lovely", "funny"], "bad": ["dull", "cold", "awful", "bland"]}
    lines = ["text,label"]
    for _ in range(rows):
        label = str(draw.choice(["good", "bad"]))
        tone = tones[label if draw.random() < 0.9 else "good"]
        words = [*draw.choice([f"w{number}" for number in range(99)], 8), *draw.choice(tone, 2)]
        lines.append(f"{' '.join(draw.permutation(words))},{label}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
