"""Time the same commands in two states of the code, by turns: is anything slower than it was?

    git worktree add --detach ../before COMMIT
    python benchmarks/before_after.py ../before . --rounds 3 --out docs/records/before_after.json

Every command runs in a process of its own, with nothing cached from a run before it. A ratio above 1 says that the new
code is faster. Processor seconds are those of the command and of all that it starts; other work on the machine moves
them less than the clock. Texts come from the data sets `mr` and `tweet_hate` (`$WORDWORTH_DATA`, or `../shared/data`).
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

import measure
from wordworth.cli.scripts import run_script, writable_path

FIRST_VECTOR = "import wordworth as ww; ww.load('minilm', dtype='float32').encode(['a text'])"
ONE_BY_ONE = """
import wordworth as ww
encoder = ww.load("minilm", dtype="float32")
for number in range(500):
    encoder.encode([f"Where can I change the password of account {number}?"])
"""
WORDWORTH = ("-m", "wordworth")
COMMANDS: dict[str, Sequence[str]] = {
    "wordworth --help": (*WORDWORTH, "--help"),
    "the first vector": ("-c", FIRST_VECTOR),
    "500 short texts, one at a time": ("-c", ONE_BY_ONE),
    "embed, float32": (*WORDWORTH, "embed", "texts.txt", "--dtype", "float32", "--out", "float32.npy"),
    "embed, int8": (*WORDWORTH, "embed", "texts.txt", "--dtype", "int8", "--out", "int8.npy"),
    "tokenizer": (*WORDWORTH, "tokenizer", "texts.txt", "--size", "4000", "--out", "tokenizer"),
    "pretrain": (
        *WORDWORTH, "pretrain", "texts.txt", "--layout", "lines", "--tokenizer", "INPUTS/tokenizer",
        "--steps", "12", "--dtype", "float32", "--out", "model",
    ),
    "finetune": (
        *WORDWORTH, "finetune", "--data", "reviews.csv", "--text", "text", "--label", "label", "--limit", "500",
        "--restarts", "2", "--epochs", "1", "--out", "finetuned",
    ),
    "worth, without fine-tuning": (
        *WORDWORTH, "worth", "reviews.csv", "--text", "text", "--label", "label", "--limit", "800", "--seeds", "2",
        "--no-finetune", "--out", "verdict",
    ),
    "worth by macro F1, without fine-tuning": (
        *WORDWORTH, "worth", "tweets.csv", "--metric", "macro_f1", "--no-finetune", "--budget", "none",
        "--out", "verdict",
    ),
    "worth by macro F1, --quick": (
        *WORDWORTH, "worth", "tweets.csv", "--metric", "macro_f1", "--quick", "--out", "verdict",
    ),
}  # fmt: skip
"""What follows `python`, in a folder with `texts.txt`, `reviews.csv` and `tweets.csv`; INPUTS holds a tokenizer."""


@dataclass(frozen=True)
class Tree:
    """A state of the code: a folder with `src/`, and the processor seconds of the commands that ran in it."""

    folder: Path
    processor_seconds: list[float] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of a process that imports this code."""
        return os.environ | {"PYTHONPATH": str(self.folder.resolve() / "src")}

    def run(self, command: Sequence[str], inputs: Path) -> None:
        """Run a command with this code in a copy of the inputs, with an empty cache.

        Raises:
            CalledProcessError: if it fails.
        """
        with tempfile.TemporaryDirectory() as folder:
            for file in inputs.glob("*.*"):
                (Path(folder) / file.name).symlink_to(file)
            words = [sys.executable, *(word.replace("INPUTS", str(inputs)) for word in command)]
            environment = self.environment | {"WORDWORTH_CACHE": f"{folder}/cache"}
            began = _children_seconds()
            subprocess.run(words, check=True, cwd=folder, env=environment, capture_output=True)
            self.processor_seconds.append(_children_seconds() - began)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def write_inputs(folder: Path, tree: Tree, texts: int) -> None:
    """Write `texts.txt`, `reviews.csv`, `tweets.csv` and a tokenizer, which `tree` makes."""
    tweets = pd.read_csv(measure.data_folder() / "tweet_hate" / "train.csv.xz", keep_default_na=False)
    tweets[["text", "label"]].sample(1500, random_state=0).to_csv(folder / "tweets.csv", index=False)
    rows = pd.read_csv(measure.data_folder() / "mr" / "all.csv.xz", keep_default_na=False)[["text", "label"]]
    rows.sample(2000, random_state=0).to_csv(folder / "reviews.csv", index=False)
    (folder / "texts.txt").write_text("\n".join(rows.text.sample(texts, random_state=0)) + "\n", encoding="utf-8")
    texts_file = str(folder / "texts.txt")
    words = [texts_file if word == "texts.txt" else word for word in COMMANDS["tokenizer"]]
    subprocess.run([sys.executable, *words], check=True, cwd=folder, env=tree.environment, capture_output=True)


def compared(command: Sequence[str], folders: dict[str, Path], inputs: Path, rounds: int) -> dict[str, Any]:
    """Return the seconds of a command in both trees, by the clock and of processors, and the ratios old / new.

    Args:
        command: what follows `python`.
        folders: the trees, "old" and "new".
        inputs: folder of the input files.
        rounds: how often each tree runs it.
    """
    trees = {name: Tree(folder) for name, folder in folders.items()}
    works: dict[str, Callable[[], None]] = {name: partial(tree.run, command, inputs) for name, tree in trees.items()}
    clock = measure.in_turns(works, rounds)
    processor = {name: tree.processor_seconds for name, tree in trees.items()}
    return {
        unit: {
            "seconds": {name: measure.Spread.of(times) for name, times in seconds.items()},
            "times_faster": measure.ratios(seconds, "old")["new"],
        }
        for unit, seconds in (("clock", clock), ("processor", processor))
    }


def commit(folder: Path) -> str:
    """Return the commit that is checked out in a folder."""
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Run every command by turns in both trees and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=int, default=1500)
    parser.add_argument("--command", action="append", choices=COMMANDS, help="only this one; repeatable")
    parser.add_argument("--out", type=writable_path, help="write the figures here as JSON")
    options = parser.parse_args()
    folders = {"old": options.old, "new": options.new}
    for folder in folders.values():
        compileall.compile_dir(folder / "src", quiet=2)
    with tempfile.TemporaryDirectory() as work:
        write_inputs(Path(work), Tree(options.new), options.texts)
        figures = {}
        for name in options.command or COMMANDS:
            figures[name] = compared(COMMANDS[name], folders, Path(work), options.rounds)
            print(name, *(f"{unit} {each['times_faster']}" for unit, each in figures[name].items()), flush=True)
    commits = {name: commit(folder) for name, folder in folders.items()}
    measure.report(
        {"commits": commits, "rounds": options.rounds, "texts": options.texts, "commands": figures}, options.out
    )


if __name__ == "__main__":
    run_script(main)
