"""How much grammar has a language model learned? BLiMP, by pseudo-log-likelihood, beside published models.

    WORDWORTH_DATA=DATA python recipes/blimp.py model/ [--each 200] [--out blimp.json] [--device cuda --dtype bfloat16]

Reads `blimp/` under $WORDWORTH_DATA: `blimp_data.tar.xz`, or BLiMP's `.jsonl` files; and `models_summary.jsonl` there,
the accuracies that its authors published, where it lies beside them.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from parts.minimal_pairs import minimal_pairs, read_minimal_pairs
from wordworth.cli.progress_bars import Bars
from wordworth.files import sha256
from wordworth.models.devices import device_of, name_of
from wordworth.models.language_model import language_model
from wordworth.models.weight_files import weight_files
from wordworth.records import Record
from wordworth.sources import resolve
from wordworth.studies.study import environment

PUBLISHED = ("ngram", "lstm", "txl", "gpt2")


def main() -> None:
    chosen = arguments()
    archive = chosen.data / "blimp_data.tar.xz"
    pairs = read_minimal_pairs(archive if archive.exists() else chosen.data)
    model = language_model(chosen.model).to(chosen.device, getattr(torch, chosen.dtype))
    record = minimal_pairs(model, pairs, each=chosen.each, hidden=chosen.hidden, progress=Bars())
    if chosen.out:
        with_settings(record, chosen).save(chosen.out)
    peers = published(chosen.data / "models_summary.jsonl")
    for name in ("phenomena", "paradigms"):
        print(f"\n{name:45}{'this':>7}  95 % interval  {''.join(f'{peer:>7}' for peer in PUBLISHED if peers)}")
        for row in record.tables[name].rows():
            print(line(row, peers))
    print(f"\n{record.verdict}")


def with_settings(record: Record, chosen: argparse.Namespace) -> Record:
    """The record with the weights that were asked, and what asked them."""
    weights = [sha256(path) for path in weight_files(resolve(chosen.model).folder)]
    settings = {**record.settings, "dtype": chosen.dtype, "weights": weights[0] if len(weights) == 1 else weights}
    where = {**environment(torch.get_num_threads()), "device": name_of(device_of(chosen.device))}
    return replace(record, settings=settings, environment=where)


def published(path: Path) -> dict[str, dict[str, Any]]:
    """Accuracies of published models by paradigm and by phenomenon."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["linguistics_term"] if row["UID"] == "overall" else row["UID"]: row for row in rows}


def line(row: dict[str, Any], peers: dict[str, dict[str, Any]]) -> str:
    theirs = "".join(f"{peers[row['name']][peer]:7.3f}" for peer in PUBLISHED) if row["name"] in peers else ""
    return f"{row['name']:45}{row['accuracy']:7.3f}  {row['low']:.3f} - {row['high']:.3f}  {theirs}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder or name of a language model")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("WORDWORTH_DATA", ".")) / "blimp")
    parser.add_argument("--each", type=int, help="pairs of each paradigm; all if not given")
    parser.add_argument("--hidden", choices=["piece", "rest_of_word"], default="piece")
    parser.add_argument("--out", type=Path, help="where the record goes")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    return parser.parse_args()


if __name__ == "__main__":
    main()
