"""The record of `study similarity` over STS-B's dev pairs, without their sentences.

    WORDWORTH_DATA=data python benchmarks/similarity_record.py --pairs 1000 --out docs/records/similarity_minilm.json

What is kept: means over pairs and random pairs, the same with random weights, and the words with the largest shares.
The pairs, their words and their cells are left out, since the sentences are not ours to copy.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import wordworth as ww
from measure import data_folder
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.records import Record

KEPT = ("kinds", "random_weights", "word_shares")


def main() -> None:
    """Run the study and write what is kept of its record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--out", type=writable_path, required=True)
    options = parser.parse_args()
    pairs = data_folder() / "stsb" / "dev.csv.xz"
    record = ww.study_similarity(model=options.model, data=pairs, limit=options.pairs, examples=1)
    write_text(options.out, without_sentences(record).to_json())


def without_sentences(record: Record) -> Record:
    """Return the record with the tables that hold no sentences."""
    tables = {name: table for name, table in record.tables.items() if name in KEPT}
    return replace(record, tables=tables)


if __name__ == "__main__":
    run_script(main)
