"""Building a token store: megabytes of text a second on one core, and the memory of all its processes together.

python benchmarks/corpus_build.py --megabytes 1000 --processes 2 --corpora FOLDER

The text is that of the files in FOLDER, over and over until there is enough. Each time a third of the longer words,
always the same ones, get another ending: no document is dropped as a duplicate, and new words keep coming, faster than
in real text of this size.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import measure
from wordworth.cli.scripts import run_script, writable_path
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader, corpus_files
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer

BUILD = """
import os, sys
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.corpus.token_store import build_store
from wordworth.text.tokenizer import Tokenizer

if __name__ == "__main__":
    corpus, tokenizer, folder, processes = sys.argv[1:]
    build_store(corpus, Tokenizer.read(tokenizer), folder, CorpusSettings(processes=int(processes)))
"""
_SHORTEST = 7
_EVERY_S = 0.2


def main() -> None:
    """Make the text, build its store in a process of its own, watch it and its children."""
    options = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokenizer = options.tokenizer or vocabulary(options.corpora, folder / "tok")
        size = write(options.corpora, folder / "corpus.jsonl", options.megabytes * 1_000_000)
        (folder / "build.py").write_text(BUILD)
        words = [folder / "corpus.jsonl", tokenizer, folder / "store", options.processes]
        environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, folder / "build.py", *map(str, words)], env=environment)
        peak = watch(process)
        wall = time.perf_counter() - began
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts = json.loads((folder / "store" / "store.json").read_text())["counts"]
    seconds = spent.ru_utime + spent.ru_stime
    measure.report(
        {
            "processes": options.processes,
            "text_megabytes": size / 1e6,
            "wall_seconds": wall,
            "core_seconds": seconds,
            "megabytes_per_wall_second": size / 1e6 / wall,
            "megabytes_per_core_second": size / 1e6 / seconds,
            "peak_megabytes": peak / 1e6,
            "counts": counts,
        },
        options.out,
    )


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder or file of text")
    parser.add_argument("--tokenizer", type=Path, help="a tokenizer's folder; trained on the corpus if not given")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=writable_path, help="write the figures here as JSON")
    return parser.parse_args()


def vocabulary(corpora: Path, folder: Path) -> Path:
    """Train a vocabulary of 16,000 pieces into `folder` and return the folder."""
    train_tokenizer(corpora, folder, TokenizerSettings())
    return folder


def write(corpora: Path, path: Path, enough: int) -> int:
    """Write documents, altered on each pass, until there are `enough` bytes of text; return the number of bytes."""
    done, number = 0, 0
    with path.open("w", encoding="utf-8") as file:
        while done < enough:
            for text in altered(corpora, number):
                file.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
                done += len(text.encode())
                if done >= enough:
                    break
            number += 1
    return done


def altered(corpora: Path, number: int) -> Iterator[str]:
    """Yield the corpus's texts; from the second pass on, some of their words have another ending."""
    ending = "" if number == 0 else chr(97 + number % 26) + chr(97 + number // 26 % 26)
    for document in DocumentReader(CorpusSettings()).documents(corpus_files(corpora)):
        words = document.text.split(" ")
        yield " ".join(
            word + ending if len(word) >= _SHORTEST and not zlib.crc32(word.encode()) % 3 else word for word in words
        )


def watch(process: subprocess.Popen[bytes]) -> int:
    """Return the peak memory in bytes of the process and its children; memory they share counts once for each."""
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(resident_bytes(pid) for pid in family(process.pid)))
        time.sleep(_EVERY_S)
    if process.returncode:
        raise SystemExit(process.returncode)
    return peak


def family(pid: int) -> list[int]:
    """Return the ids of a process and of all that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it ended in between
        return []
    return [pid, *(member for child in children for member in family(int(child)))]


def resident_bytes(pid: int) -> int:
    """Return the resident bytes of a process, 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    run_script(main)
