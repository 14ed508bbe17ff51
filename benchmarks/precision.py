"""What bfloat16 and int8 cost in quality: cosine to float32, and Spearman on the STS benchmark's test part (times 100).

python benchmarks/precision.py --pairs 1379
"""

from __future__ import annotations

import csv

import numpy as np
from scipy.stats import spearmanr

import measure
import wordworth as ww
from wordworth.cli.scripts import run_script


def main() -> None:
    """Encode both sides of every pair in each type."""
    options = measure.arguments(__doc__, pairs=1379)
    with (measure.data_folder() / "stsb" / "test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    pairs = [(row[0], row[1], float(row[2])) for row in rows if _is_number(row[2])][: options.pairs]
    texts, gold = [side for pair in pairs for side in pair[:2]], [pair[2] for pair in pairs]
    vectors = {dtype: ww.load("minilm", dtype=dtype).encode(texts) for dtype in ("float32", "bfloat16", "int8")}
    results = {}
    for dtype, encoded in vectors.items():
        cosines = (encoded * vectors["float32"]).sum(1)
        score = 100 * spearmanr((encoded[::2] * encoded[1::2]).sum(1), gold).statistic
        results[dtype] = {"spearman": float(score), "mean": float(np.mean(cosines)), "least": float(cosines.min())}
    measure.report({"pairs": len(pairs), "types": results}, options.out)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdigit()


if __name__ == "__main__":
    run_script(main)
