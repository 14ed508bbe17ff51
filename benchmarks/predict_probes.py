"""`wordworth predict` of a table with several probes, beside it with one, and beside `wordworth embed` of that table.

python benchmarks/predict_probes.py --texts 1024 --words 20 --probes 8 --rounds 15 --threads 1

Each way goes from file to file: the table is read, the encoder loaded, the pass run, answers or vectors written; so
what several probes take over `embed` is their own. The pass in memory, which writes nothing, stands beside them. Probes
have random weights and read the last layer of MiniLM. Seconds are those of the processor; the ways take turns.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import torch

import measure
import wordworth as ww
from minilm import minilm
from probes import in_turns, over, random_probes, random_texts
from wordworth.cli.scripts import run_script
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.training.probes.saved_probe import PROBE

_PASS, _ONE, _MEMORY = "embed", "one probe", "the pass in memory"


def main() -> None:
    """Time the ways in turns and report each beside the pass alone, and several probes beside one."""
    options = measure.arguments(__doc__, texts=1024, words=20, probes=8, rounds=15)
    torch.set_num_threads(options.threads)
    with TemporaryDirectory() as name:
        folder = Path(name)
        table, folders = folder / "texts.csv", written_probes(folder, options.probes)
        pd.DataFrame({"text": random_texts(options.texts, options.words)}).to_csv(table, index=False)
        several = f"{options.probes} probes"
        works: dict[str, Callable[[], Any]] = {
            _PASS: lambda: ww.embed(table, folder / "vectors.npy", model="minilm", dtype="float32", overwrite=True),
            _MEMORY: lambda: minilm("float32").encode(pd.read_csv(table)["text"].tolist()),
            _ONE: lambda: ww.predict(folders[:1], table, folder / "one.csv"),
            several: lambda: ww.predict(folders, table, folder / "several.csv"),
        }
        seconds = in_turns(works, options.rounds)
    beside_one = over({_ONE: seconds[_ONE], several: seconds[several]}, _ONE)
    sizes = {"texts": options.texts, "words": options.words, "probes": options.probes, "rounds": options.rounds}
    measure.report({**sizes, **over(seconds, _PASS), **beside_one}, options.out)


def written_probes(folder: Path, number: int) -> list[Path | str]:
    """Write probes with random weights on MiniLM's last layer; return their folders."""
    encoder = minilm("float32")
    folders = list[Path | str]()
    for name, probe in random_probes(encoder, (encoder.depth,), number).probes.items():
        classes, reads = list(probe.classes), {"model": "minilm", "fingerprint": fingerprint(encoder)}
        form = {"columns": ["text"], "tokens": encoder.max_length, "cut": "end", "second": False}
        probe.probe.write(folder / f"probe{name}", {"kind": probe.kind, "classes": classes, **form, PROBE: reads})
        folders.append(folder / f"probe{name}")
    return folders


if __name__ == "__main__":
    run_script(main)
