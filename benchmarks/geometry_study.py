"""The whole study of a 12-layer encoder on all sentences of STS 2012 to 2016: seconds, processor seconds, memory.

The encoder has BERT-base's size and weights drawn at random, made here, with MiniLM's vocabulary; what it says is of no
interest, what it costs is. Each type runs in a process of its own, the command's own work from reading to page.

    WORDWORTH_DATA=data python benchmarks/geometry_study.py --threads 2
    WORDWORTH_DATA=data DTYPE=float32 python benchmarks/geometry_study.py --threads 2
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

import measure
from wordworth.cli.scripts import run_script
from wordworth.models.families import family_of
from wordworth.models.families.base import Fields
from wordworth.models.weight_files import write_safetensors
from wordworth.sources import resolve

SIZE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
CONFIG = {"model_type": "bert", "vocab_size": 30_522, "max_position_embeddings": 512, **SIZE}
SPREAD = 0.05
STUDY = """
import contextlib, json, re, sys, time
from pathlib import Path
import torch
from wordworth.studies.contextuality import context

class Clock:
    seconds = 0.0
    def note(self, text):
        pass
    @contextlib.contextmanager
    def step(self, name, total):
        began = time.process_time()
        yield self
        self.seconds += time.process_time() - began
    def advance(self, amount):
        pass

torch.set_num_threads(int(sys.argv[3]))
clock = Clock()
settings = {"limit": int(sys.argv[4])} if sys.argv[4] != "0" else {}
record = context("sts", out=sys.argv[2], models=(sys.argv[1],), dtype=sys.argv[5], progress=clock, **settings)
about = record.table("models")
print(json.dumps({
    "sentences": record.data["sentences"],
    "words": int(about["words"][0]),
    "occurrences": int(about["occurrences"][0]),
    "processor seconds of reading, sums and samples": round(clock.seconds, 1),
    "peak GB": round(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1e6, 3),
}))
"""


def main() -> None:
    """Make the encoder, run the study, report its time and memory."""
    options = measure.arguments(__doc__, texts=0)
    dtype = os.environ.get("DTYPE", "bfloat16")
    with tempfile.TemporaryDirectory() as folder:
        model = write_encoder(Path(folder) / "base")
        words = [str(model), f"{folder}/out", str(options.threads), str(options.texts), dtype]
        figures = run_measured([sys.executable, "-c", STUDY, *words])
        page = (Path(folder) / "out" / "report.html").stat().st_size
    measure.report(
        {"dtype": dtype, "threads": options.threads, **figures, "page MB": round(page / 1e6, 2)}, options.out
    )


def write_encoder(folder: Path) -> Path:
    """Write an encoder of BERT-base's size with random weights, and return its folder."""
    tokenizer = resolve("minilm").folder
    folder.mkdir()
    family, generator = family_of("bert", ""), torch.Generator().manual_seed(0)
    model = family.build(family.read(Fields(CONFIG, "")))
    for name, parameter in model.named_parameters():
        drawn = torch.randn(parameter.shape, generator=generator) * SPREAD
        is_norm = "norm" in name and name.endswith("weight")
        parameter.data = torch.ones_like(drawn) if is_norm else drawn
    write_safetensors(family.table.to_checkpoint(model.state_dict()), folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG))
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(tokenizer / name, folder / name)
    return folder


def run_measured(command: list[str]) -> dict[str, Any]:
    """Run a command; return the figures that it printed, its peak memory among them, and its seconds."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        output = process.stdout.read() if process.stdout else b""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return {
        **json.loads(output),
        "seconds": round(time.perf_counter() - began, 1),
        "processor seconds": round(used.ru_utime + used.ru_stime, 1),
    }


if __name__ == "__main__":
    run_script(main)
