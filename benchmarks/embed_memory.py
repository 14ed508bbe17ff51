"""Memory of embedding a large file of sentences, over time, and its speed.

python benchmarks/embed_memory.py --texts 1000000
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure
from mixed_texts import write_sentences
from wordworth.cli.scripts import run_script

EMBED = """
import sys, torch
from wordworth.inference.bulk_embedding import embed
from wordworth.inference.embed_settings import EmbedSettings
embed(sys.argv[1], sys.argv[2], EmbedSettings(model="minilm", dtype=sys.argv[3], threads=int(sys.argv[4])))
"""
_EVERY_S = 1.0


def main() -> None:
    """Write the sentences, embed them in a process of its own, watch that process."""
    options = measure.arguments(__doc__, texts=1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        texts, out = Path(folder) / "texts.txt", Path(folder) / "vectors.parquet"
        write_sentences(texts, options.texts)
        began = time.perf_counter()
        dtype = os.environ.get("DTYPE", "auto")
        command = [sys.executable, "-c", EMBED, str(texts), str(out), dtype, str(options.threads)]
        held = _watch(subprocess.Popen(command))
        took = time.perf_counter() - began
        size = out.stat().st_size
    thinned = held[:: max(1, len(held) // 20)]
    measure.report(
        {
            "texts": options.texts,
            "dtype": dtype,
            "seconds": took,
            "texts_per_second": options.texts / took,
            "output_bytes": size,
            "peak_gb": max(held),
            "gb_over_time": [round(each, 3) for each in thinned],
        },
        options.out,
    )


def _watch(process: subprocess.Popen[bytes]) -> list[float]:
    """Return the resident memory of a process in GB, once a second until it ends."""
    status, held = Path(f"/proc/{process.pid}/status"), list[float]()
    while process.poll() is None:
        lines = status.read_text().splitlines() if status.exists() else []
        held += [int(line.split()[1]) / 1e6 for line in lines if line.startswith("VmRSS")]
        time.sleep(_EVERY_S)
    if process.returncode:
        raise SystemExit(process.returncode)
    return held


if __name__ == "__main__":
    run_script(main)
