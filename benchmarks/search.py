"""An index of a million texts: seconds and memory to build it from vectors, and to ask it, beside faiss's exact index.

    python benchmarks/search.py --folder search/ --texts 1000000 --out docs/records/search.json

The texts are pieces of 12 words of the data sets in $WORDWORTH_DATA, the queries are questions of other sets. Both
are embedded once, into the folder, which takes half an hour. Each precision is then built in a process of its own. One
thread asks the indexes and faiss in turns, one query at a time.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import wordworth as ww
from measure import data_file, data_folder
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.retrieval.bm25 import Postings, best_rows
from wordworth.retrieval.index import Index
from wordworth.retrieval.stored_vectors import PRECISIONS

TEXT_FOLDERS = (
    "ag_news", "blitzer", "dream", "goemotions", "movie_reviews", "pan_paraphrase", "reuters", "senses", "squad_shifts",
    "stories",
)  # fmt: skip
QUERY_FOLDERS = ("qnli", "qqp", "trec")
_SUFFIXES = (".csv", ".csv.xz", ".tsv", ".tsv.xz", ".txt", ".txt.xz", ".jsonl", ".jsonl.xz", ".json.xz")
_FEWEST_WORDS, _WORDS = 5, 12
_MB = 1 << 20
_K = 10


def pieces(folders: Sequence[str], step: int) -> list[str]:
    """Return all distinct pieces of 12 words of the files in folders, every `step` words."""
    texts: set[str] = set()
    for path in sorted(path for name in folders for path in data_file(data_folder(), name).rglob("*")):
        if path.name.endswith(_SUFFIXES):
            content = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
            for cell in re.split(r'[\t\n"]+', content.decode(errors="replace")):
                words = cell.split()
                if len(words) >= _FEWEST_WORDS:
                    starts = range(0, max(1, len(words) - _FEWEST_WORDS), step)
                    texts |= {" ".join(words[start : start + _WORDS]) for start in starts}
    return sorted(text for text in texts if text.isascii())


def material(folder: Path, texts: int, queries: int, model: str = "minilm") -> None:
    """Write texts, queries and their vectors into a folder, as far as they are not there.

    Args:
        folder: the folder.
        texts: number of texts.
        queries: number of queries.
        model: the model that embeds them.
    """
    for name, number, kept in (("texts", texts, (TEXT_FOLDERS, 6)), ("queries", queries, (QUERY_FOLDERS, 100))):
        path = folder / f"{name}.parquet"
        if not path.exists():
            chosen = pieces(*kept)
            random.Random(len(name)).shuffle(chosen)
            rows = {"text": chosen[:number], "words": [str(len(text.split())) for text in chosen[:number]]}
            parquet.write_table(pa.table(rows), path)
        if not (folder / f"{name}.npy").exists():
            ww.embed(path, folder / f"{name}.npy", model=model)


def build(folder: Path, precision: str) -> None:
    """Build one index from the vectors; print seconds and the most memory that the process had, in MB."""
    began = time.perf_counter()
    options: dict[str, Any] = {"precision": precision, "vectors": folder / "texts.npy", "overwrite": True, "threads": 1}
    ww.build_index(folder / "texts.parquet", folder / precision, model="minilm", **options)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / _MB
    print(json.dumps({"seconds": time.perf_counter() - began, "memory": memory}))


def built(folder: Path, precision: str) -> dict[str, float]:
    """Build an index in a process of its own; return what it printed, and the size of the index in MB."""
    command = [sys.executable, __file__, "--folder", str(folder), "--build", precision]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    size = sum(path.stat().st_size for path in (folder / precision).rglob("*") if path.is_file()) / _MB
    return {**json.loads(done.stdout.splitlines()[-1]), "size": size}


def recall(rows: Iterable[np.ndarray], exact: Iterable[np.ndarray]) -> list[float]:
    """Return for each query which share of the exact rows was found."""
    return [len(np.intersect1d(row, best)) / len(best) for row, best in zip(rows, exact, strict=True)]


def ask(folder: Path, queries: np.ndarray) -> dict[str, dict[str, Any]]:
    """Ask the indexes and faiss in turns; return milliseconds, recall, and how many times as fast as faiss each is."""
    import faiss

    faiss.omp_set_num_threads(1)
    vectors = np.load(folder / "texts.npy")
    faiss.normalize_L2(vectors)
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    del vectors
    indexes = {name: Index.open(folder / name) for name in PRECISIONS}
    ways = {name: index.search_vectors for name, index in indexes.items()}
    unit = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    milliseconds: dict[str, list[float]] = {name: [] for name in (*ways, "faiss")}
    rows: dict[str, list[np.ndarray]] = {name: [] for name in milliseconds}
    for way in ways.values():  # each index is read from the disk once
        way(queries[:2], k=_K)
    for number in range(len(queries)):
        for name, way in ways.items():
            began = time.perf_counter()
            (nearest,) = way(queries[number : number + 1], k=_K)
            milliseconds[name].append(1000 * (time.perf_counter() - began))
            rows[name].append(nearest.rows)
        began = time.perf_counter()
        _, near = flat.search(unit[number : number + 1], _K)
        milliseconds["faiss"].append(1000 * (time.perf_counter() - began))
        rows["faiss"].append(near[0])
    peer = np.array(milliseconds["faiss"])
    return {
        name: {
            **quantiles(each),
            **interval(recall(rows[name], rows["float32"])),
            "times_faiss": [float(ratio) for ratio in np.quantile(peer / each, [0.5, 0.05, 0.95])],
        }
        for name, each in milliseconds.items()
    }


def quantiles(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return the middle and the 95th percentile."""
    return {"p50": statistics.median(milliseconds), "p95": float(np.quantile(milliseconds, 0.95))}


def interval(shares: Sequence[float]) -> dict[str, float]:
    """Return the mean recall with its 95 % interval, by the bootstrap over queries."""
    draws = np.random.default_rng(0).choice(shares, (2000, len(shares))).mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return {"recall": statistics.mean(shares), "low": float(low), "high": float(high)}


def filtered(folder: Path, queries: np.ndarray) -> list[Mapping[str, Any]]:
    """Ask under conditions that pass few and many rows; return milliseconds and the fewest results."""
    lines: list[Mapping[str, Any]] = []
    for where in ("words = 12", "words = 7", "words = 12 AND text LIKE 'the %'", "text LIKE '%zebra%'"):
        seconds, results = [], []
        for query in queries[:10]:
            index = Index.open(folder / "float32")  # which keeps no condition yet
            began = time.perf_counter()
            (nearest,) = index.search_vectors(query[None], k=_K, where=where)
            seconds.append(1000 * (time.perf_counter() - began))
            results.append(len(nearest.rows))
        passing = int(index.passing(where).sum())
        lines.append({"where": where, "passing": passing, "p50": statistics.median(seconds), "results": min(results)})
    return lines


def by_words(folder: Path, texts: Sequence[str]) -> dict[str, float]:
    """Rank by words; return the milliseconds of a query."""
    postings = [
        Postings.open(folder / "bits" / segment.name) for segment in Index.open(folder / "bits").manifest.segments
    ]
    milliseconds = []
    for text in texts:
        began = time.perf_counter()
        best_rows(postings, text, _K)
        milliseconds.append(1000 * (time.perf_counter() - began))
    return quantiles(milliseconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where texts, vectors and indexes are kept")
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--out", type=writable_path)
    parser.add_argument("--build", choices=PRECISIONS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.build:
        build(chosen.folder, chosen.build)
        return
    chosen.folder.mkdir(parents=True, exist_ok=True)
    material(chosen.folder, chosen.texts, chosen.queries)
    load = [os.getloadavg()[0]]
    record: dict[str, Any] = {"texts": chosen.texts, "queries": chosen.queries}
    record["build"] = {name: built(chosen.folder, name) for name in PRECISIONS}
    queries = np.load(chosen.folder / "queries.npy")[: chosen.queries]
    record["ask"] = ask(chosen.folder, queries)
    record["filters"] = filtered(chosen.folder, queries)
    record["words"] = by_words(chosen.folder, parquet.read_table(chosen.folder / "queries.parquet")["text"].to_pylist())
    record["load"] = [*load, os.getloadavg()[0]]
    text = json.dumps(record, indent=1) + "\n"
    print(text)
    if chosen.out:
        write_text(chosen.out, text)


if __name__ == "__main__":
    run_script(main)
