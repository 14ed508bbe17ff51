"""Is a plan right? Plan with 200 labels, then run the study on 1,600 others, and compare their intervals.

    python benchmarks/plan_and_study.py --data DATA --out docs/records/plan.json [--sets mr/all.csv.xz ...]

For each data set: the plan reads 200 labels and the texts of the rest; the study, of the same rungs without the
fine-tuned one, reads the labels of 1,600 of these texts. Both state half the width of the 95 % interval between a cheap
and a contextual rung: of the pair that the plan named, and of the pair that the study's verdict is about.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import wordworth as ww
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.text.file_formats.read import read_rows

SETS = ("mr/all.csv.xz", "subj/all.csv.xz", "tweet_hate/train.csv.xz", "trec/train.csv.xz", "ag_news/test.csv.xz")
SO_FAR, LABELS = 200, 1_600


def compared(path: Path) -> dict[str, Any]:
    """Return what the plan of a data set said of 1,600 test labels, and what the study of them found."""
    columns = read_rows(path).columns
    order = np.random.default_rng(0).permutation(len(columns["text"]))[: SO_FAR + LABELS]
    drawn = {name: [columns[name][row] for row in order] for name in ("text", "label")}
    labelled, rest = (
        {name: cells[part] for name, cells in drawn.items()} for part in (slice(SO_FAR), slice(SO_FAR, None))
    )
    plan = ww.worth({"text": rest["text"]}, plan=True, labels_so_far=labelled, text="text", label="label")
    study = ww.worth(rest, text="text", label="label", metric="accuracy", finetune=False, budget="none")
    planned, verdict = plan.finding("verdict").numbers, study.finding("verdict").numbers
    gaps = study.table("gaps")
    pair = gaps[(gaps["rung"] == planned["cheap"]) & (gaps["against"] == planned["contextual"])]
    gap = pair.loc[pair["labels"].idxmax()]
    row = next(row for row in plan.tables["plan"].rows() if row["labels"] == LABELS)
    return {
        "set": path.parent.name,
        "cheap": planned["cheap"],
        "contextual": planned["contextual"],
        "disagreement": planned["disagreement"],
        "planned": row["half_width"],
        "difference": row["difference"],
        "actual": (gap["high"] - gap["low"]) / 2,
        "compared": [verdict["compared"], verdict["against"]],
        "actual_of_compared": (verdict["high"] - verdict["low"]) / 2,
    }


def main() -> None:
    """Print a line for each data set, and write all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/plan.json"))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    options = parser.parse_args()
    rows = []
    for name in options.sets:
        rows.append(compared(options.data / name))
        print(json.dumps(rows[-1]), flush=True)
    write_text(options.out, json.dumps({"so_far": SO_FAR, "labels": LABELS, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
