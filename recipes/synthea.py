"""Visits of Synthea's patients for `wordworth study codes`: conditions by date, and medications as ATC at level 4.

    python recipes/synthea.py --data DATA/codes --out synthea/
    wordworth study codes synthea/visits.csv --target-ontology synthea/atc.csv --out run/

These are synthetic patients, made by rules (Walonoski et al. 2018): what holds of them need not hold of people. A
medication becomes the first five characters of its ATC code, which the data name for all but two; rows without one are
left out, and every other kind of event. `atc.csv` is ATC down to level 4.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path

from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text

LEVEL, LENGTH = 4, 5
"""A code of ATC's level 4 has five characters."""


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table with tabs between its cells, packed or not."""
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    header, *lines = text.decode().splitlines()
    for line in lines:
        yield dict(zip(header.split("\t"), line.split("\t"), strict=True))


def visits(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """The patient, date, kind and code of each condition, and of each medication with a code of ATC."""
    atc = {(row["kind"], row["code"]): row["atc"] for row in rows(folder / "names.tsv")}
    for row in rows(folder / "events.tsv.xz"):
        code = atc.get((row["kind"], row["code"]), "")[:LENGTH] if row["kind"] == "medication" else row["code"]
        if row["kind"] in {"condition", "medication"} and code:
            yield row["patient"], row["date"], row["kind"], code


def ontology(path: Path) -> Iterator[tuple[str, str]]:
    """Each code of ATC down to level 4, and the code above it."""
    for row in rows(path):
        if int(row["level"]) <= LEVEL:
            yield row["code"], row["parent"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of atc.tsv.xz and synthea/")
    parser.add_argument("--out", type=writable_path, default=Path("synthea"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    lines = ["patient,date,kind,code", *(",".join(row) for row in visits(options.data / "synthea"))]
    write_text(options.out / "visits.csv", "\n".join(lines) + "\n")
    tree = ["child,parent", *(",".join(row) for row in ontology(options.data / "atc.tsv.xz"))]
    write_text(options.out / "atc.csv", "\n".join(tree) + "\n")


if __name__ == "__main__":
    run_script(main)
