"""A token store whose building is killed at any moment is finished later, to the same bytes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.text.toys import SMALL, write_vocabulary

BUILD = """
import sys
from wordworth.text.corpus import token_store, tokenize_corpus
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.tokenizer import Tokenizer
tokenize_corpus._CHUNK, tokenize_corpus._SMALL, token_store._COMMIT_EVERY = 4_000, 0, 3  # many chunks of a small corpus

if __name__ == "__main__":
    corpus, vocabulary, folder, processes = sys.argv[1:]
    tokenizer = Tokenizer.wordpiece(vocabulary)
    token_store.build_store(corpus, tokenizer, folder, CorpusSettings(processes=int(processes)))
"""


@pytest.fixture
def build(tmp_path):
    """Starts a build into a folder of this name."""
    draw = random.Random(0)
    words = [piece for piece in SMALL if piece.isalpha()]
    texts = (" ".join(draw.choices(words, k=draw.randint(1, 300))) + "." for _ in range(2_000))
    (tmp_path / "corpus.txt").write_text("\n".join(texts))
    (tmp_path / "build.py").write_text(BUILD.replace("CorpusSettings(", 'CorpusSettings(layout="lines", '))
    vocabulary = write_vocabulary(tmp_path, SMALL)

    def start(name: str, processes: int) -> subprocess.Popen[bytes]:
        words = [tmp_path / "corpus.txt", vocabulary, tmp_path / name, processes]
        return subprocess.Popen([sys.executable, tmp_path / "build.py", *map(str, words)])

    return start


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def size(folder: Path) -> int:
    return (folder / "ids.bin").stat().st_size if (folder / "ids.bin").exists() else 0


def kill_on_the_way(process: subprocess.Popen[bytes], folder: Path, step: int, draw: random.Random) -> bool:
    """Kill it once it has written about `step` bytes more; whether it had not ended by itself."""
    goal = size(folder) + draw.randint(0, step)
    while process.poll() is None and size(folder) < goal:
        time.sleep(0.001)
    time.sleep(draw.random() * 0.02)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


@pytest.mark.parametrize(
    ("kills", "processes"),
    [(2, 1), pytest.param(20, 1, marks=pytest.mark.slow), pytest.param(20, 2, marks=pytest.mark.slow)],
)
def test_a_store_killed_at_any_moment_is_finished_to_the_same_bytes(build, tmp_path, kills, processes):
    assert build("whole", 1).wait() == 0
    whole, draw, done = files(tmp_path / "whole"), random.Random(kills + processes), 0
    stopped, step = tmp_path / "stopped", len(whole["ids.bin"]) // 6
    while done < kills:
        if kill_on_the_way(build("stopped", processes), stopped, step, draw):
            done += 1
        else:  # it ended before its time: the bytes must be right already, and the next kill starts a new build
            assert files(stopped) == whole
            for path in stopped.iterdir():
                path.unlink()
    assert build("stopped", processes).wait() == 0
    assert files(stopped) == whole
