"""Write what today's version writes, for later versions to open: `python -m tests.compat.make_fixtures FOLDER`.

Run it from the root of the repository, with a folder that is not there: what an earlier version wrote stays as it is.
Models and inputs are as small as they can be. Each kind of thing becomes an archive; `expected.json` says what this
version reads out of it. Stopped runs are stopped by the signal that Ctrl-C sends, sent to this process after a number
of steps.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import numpy as np
from safetensors.numpy import load_file, save_file
from scripts.small_inputs import write
from tests.compat import commands, outputs
from tests.compat.outputs import Listener, command, heard, loss

INPUTS = ("encoder", "corpus", "wordsets", "tokenizer", "base")
"""Folders of inputs; all files beside them are inputs too."""
SAID = "predictions.jsonl"
LARGE = 5_000
"""Numbers of a matrix, from which on it is lightened."""


class Stopper(Listener):
    """A progress that has a piece of work stopped after so many steps of it, as Ctrl-C does."""

    def __init__(self, work: str, steps: int) -> None:
        super().__init__(work)
        self.left = steps

    def advance(self, amount: float = 1) -> None:
        """Count, and stop."""
        super().advance(amount)
        self.left -= 1
        if not self.left:
            signal.raise_signal(signal.SIGINT)


def stopped(line: str, out: str, work: str, steps: int) -> float:
    """Run a command and stop it on the way; how much of the work was done."""
    watcher = Stopper(work, steps)
    with suppress(KeyboardInterrupt, click.Abort):
        heard(line, out, watcher)
    assert watcher.left <= 0, f"{line} ended before it could be stopped"
    return watcher.done


def inputs(expected: dict[str, Any]) -> None:
    """What all commands read; a tokenizer and a model of our own among it."""
    write(Path())
    command(commands.TOKENIZER, "tokenizer")
    expected["losses"] = {"base": loss(command(commands.PRETRAIN, "finished-pretraining/model"))}
    shutil.copytree("finished-pretraining/model", "base", ignore=shutil.ignore_patterns("training"))
    expected["machine"] = outputs.machine()


def pretraining(expected: dict[str, Any]) -> None:
    """Finished models of every architecture, and runs that were stopped on the way."""
    for name, line in commands.MODELS.items():
        expected["losses"][f"models/{name}"] = loss(command(line, f"models/{name}"))
        shutil.rmtree(f"models/{name}/training")
    expected["vectors"] = {f"models/{name}": outputs.vectors(f"models/{name}") for name in commands.MODELS}
    expected["filled"] = command(commands.FILL, "the film was [MASK] and good")
    expected["done"] = {
        name: stopped(line, f"{name}/model", "pretraining", steps)
        for name, line, steps in (
            ("stopped-pretraining", commands.PRETRAIN, 5),
            ("stopped-adapting", commands.ADAPT, 5),
            ("stopped-budget", commands.BUDGET, 40),
        )
    }
    with patch("wordworth.text.corpus.token_store.write_text", interrupt), suppress(KeyboardInterrupt, click.Abort):
        command(commands.PRETRAIN, "stopped-store/model")  # all text is tokens, and nothing says so yet


def interrupt(*_: object) -> None:
    """In place of what a stopped process did not come to."""
    raise KeyboardInterrupt


def finetuning(expected: dict[str, Any]) -> None:
    """Models of every kind of task with their answers, a finished study, and studies that were stopped."""
    expected["answers"] = {}
    for name, (source, line) in commands.TUNED.items():
        run = Path("tuned") / name
        command(line, run)
        shutil.rmtree(run / "runs")
        lighten(run / "model" / "head.safetensors")
        expected["answers"][name] = outputs.answers(run, source)
    command(commands.FINETUNE, "finished-finetuning/run")
    expected["done"]["stopped-finetuning"] = stopped(commands.FINETUNE, "stopped-finetuning/run", "fine-tuning", 35)
    expected["done"]["stopped-grid"] = stopped(commands.GRID, "stopped-grid/run", "trying 3 settings", 5)


def lighten(weights: Path) -> None:
    """Let large matrices, which a tagger has whatever its encoder, repeat a few numbers: they pack well."""
    tensors = load_file(weights)
    for name, value in tensors.items():
        if value.size > LARGE:
            tensors[name] = np.resize(np.linspace(-0.1, 0.1, 1009, dtype=value.dtype), value.shape)
    save_file(tensors, weights)


def studies(expected: dict[str, Any]) -> None:
    """Records of every study, and the arrays that one kept on the way."""
    for name, line in commands.STUDIES.items():
        if name == "worth-quick":
            os.environ["WORDWORTH_CACHE"] = "cache"
        command(line, f"records/{name}")
    expected["scored"] = {name: command(commands.EVALUATE, f"tuned/{name}/{SAID}") for name in commands.TUNED}
    made = [*Path("records").iterdir(), *Path("tuned").iterdir()]
    expected["charts"] = {str(path): outputs.charts(path) for path in sorted(made)}


def vectors(expected: dict[str, Any]) -> None:
    """Static tables in both forms, and files of vectors that were stopped on the way."""
    Path("tables").mkdir()
    for name in ("tables/static", "tables/static.txt"):
        command(commands.TO_STATIC, name)
        expected["vectors"][name] = outputs.vectors(name)
    for name, line in commands.EMBED.items():
        Path(f"stopped-embed-{name}").mkdir()
        stopped(line, f"stopped-embed-{name}/vectors.npy", "embedding", 1)


def pack(home: Path, out: Path) -> None:
    """Every folder an archive; the inputs together one."""
    apart = [path for path in sorted(home.iterdir()) if path.is_dir() and path.name not in INPUTS]
    together = [path for path in sorted(home.iterdir()) if path not in apart]
    for name, paths in {"inputs": together, **{path.name: [path] for path in apart}}.items():
        with tarfile.open(out / f"{name}.tar.xz", "w:xz") as archive:
            for path in paths:
                archive.add(path, path.relative_to(home), filter=plain)


def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """An entry without who made it and when; none of what nothing reads back."""
    if entry.name.endswith("report.html") or "tfevents" in entry.name:
        return None
    entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
    return entry


def make(out: Path) -> None:
    """Every fixture."""
    out.mkdir(parents=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    expected: dict[str, Any] = {"commit": commit}
    makers: tuple[Callable[[dict[str, Any]], None], ...] = (inputs, pretraining, finetuning, vectors, studies)
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        home.mkdir()
        os.chdir(home)
        os.environ["WORDWORTH_CACHE"] = str(Path(scratch) / "cache")
        for maker in makers:
            maker(expected)
        for rest in ("answers.jsonl", "page.html"):
            Path(rest).unlink()
        pack(home, out)
    (out / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]).absolute())
