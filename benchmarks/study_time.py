"""How near the time that a study says at its start comes to the time that it takes.

    python benchmarks/study_time.py [--data DATA] [--out docs/records/study_time.json] [--sets mr trec ...]

Each data set is studied once with the default settings, in a process of its own with an empty cache. The time is that
of the call of `worth`, and its parts are those of the record. Sets that are in the record already are not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import measure
from wordworth.cli.scripts import recorded_part, run_script, writable_path
from wordworth.files import cache_folder, write_text

SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "trec": ("trec/train.csv.xz", {"text": "text", "label": "label"}),
    "movie_reviews": ("movie_reviews/all.csv.xz", {"text": "text", "label": "label"}),
    "stsb": ("stsb/train.csv.xz", {"text": "text_a", "text_b": "text_b", "label": "score", "kind": "regression"}),
    "conll2003": ("conll2003/eng.train.xz", {}),
    "mr": ("mr/all.csv.xz", {"text": "text", "label": "label"}),
    "mr, without fine-tuning": ("mr/all.csv.xz", {"text": "text", "label": "label", "finetune": False}),
    "ag_news": ("ag_news/test.csv.xz", {"text": "text", "label": "label"}),
    "clinc150": ("clinc150/train.csv.xz", {"text": "text", "label": "label", "finetune": False}),
}


def studied(name: str, data: Path) -> dict[str, Any]:
    """Run a study in a process of its own, and return its forecast beside the seconds that it took."""
    with TemporaryDirectory() as cache:
        models = cache_folder() / "models"
        if models.exists():
            (Path(cache) / "models").symlink_to(models)
        environment = {**os.environ, "WORDWORTH_CACHE": cache}
        command = [sys.executable, __file__, "--data", str(data), "--only", name]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return {"set": name, **json.loads(done.stdout.splitlines()[-1])}


def study(name: str, data: Path) -> None:
    """Study one data set, and print its figures as a line of JSON."""
    import wordworth as ww

    file, choices = SETS[name]
    began = time.perf_counter()
    record = ww.worth(data / file, **choices)
    seconds = time.perf_counter() - began
    forecast = record.timings["forecast"]
    left_out = [finding.text for finding in record.warnings if finding.name == "warning.budget"]
    print(
        json.dumps(
            {
                "rows": record.data["test"],
                "forecast": forecast["in all"],
                "seconds": round(seconds, 1),
                "ratio": round(seconds / forecast["in all"], 3),
                "parts_of_the_forecast": forecast,
                "parts": record.timings["seconds"],
                "left_out": left_out,
            }
        )
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Study what is missing, print the ratios and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=measure.data_folder())
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/study_time.json"))
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.only:
        study(options.only, options.data)
        return
    studies = recorded_part(options.out, "studies", list)
    done = {study["set"] for study in studies}
    for name in options.sets:
        if name not in done:
            studies.append(studied(name, options.data))
            print(name, studies[-1]["forecast"], studies[-1]["seconds"], studies[-1]["ratio"], flush=True)
            write_text(options.out, json.dumps({"machine": measure.machine(), "studies": studies}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
